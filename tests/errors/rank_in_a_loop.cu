extern "C" __global__ void kernel(const float *x, float *y, int n){
    __shared__ float s[64];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    float v = x[t];
    s[t] = 0.0f;
    __syncwarp();
    for (int q = 0; q < 2; ++q) {
        unsigned m = __ballot_sync(0xffffffffu, v > 0.5f);
        if (v > 0.5f) s[w * 32 + __popc(m & ((1u << lane) - 1u))] = v;
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shared-writer: two threads may write the same element
        v -= 0.1f;
    }
    __syncwarp();
    y[t] = s[t];
}
