// s2sad: --of y --wrt x,p
// A device function with a loop that overwrites, leaves early, and returns from inside.
__device__ float settle(float v, float p, int limit)
{
    for (int k = 0; k < limit; ++k) {
        float next = v - 0.5f * p * sinf(v);
        if (fabsf(next - v) < 0.05f)
            return next;
        v = next;
    }
    return 0.5f * v;
}

extern "C" __global__ void device_loop(const float *x, const float *p, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = settle(x[i], p[i], 3 + i % 4);
}
