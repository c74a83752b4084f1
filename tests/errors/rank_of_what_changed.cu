extern "C" __global__ void kernel(const float *x, float *y, int n){
    __shared__ float s[64];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    float v = x[t], u = v;
    unsigned m = __ballot_sync(0xffffffffu, v > 0.5f);
    int rank = __popc(m & ((1u << lane) - 1u));
    v += x[t + 1]; if (v > 0.5f) s[w * 32 + rank] = v;
//                               ^^^^^^^^^^^^^^^^ shared-writer: two threads may write the same element
    __syncwarp();
    y[t] = s[t];
}
