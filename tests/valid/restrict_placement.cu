__device__ float f(float const *const __restrict__ p, int i) { return p[i]; }
extern "C" __global__ void restrict_placement(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *__restrict__ p = x;
    const float *__restrict q = x;
    const float *const __restrict__ r = x;
    y[i] = p[i] * q[i] * f(r, i);
}
