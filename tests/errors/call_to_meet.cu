// s2sad: --of y --wrt x
__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
extern "C" __global__ void maybe(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    float s = n > 100 ? warp_sum(v) : v;
//                      ^^^^^^^^^^^ call-to-meet: it has a barrier, a warp exchange or a pointer parameter
    while (warp_sum(s) > 1.0f)
//         ^^^^^^^^^^^ call-to-meet: it has a barrier, a warp exchange or a pointer parameter
        s *= 0.5f;
    if (i < n)
        y[i] = s;
}
