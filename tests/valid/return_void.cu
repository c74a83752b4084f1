__device__ void set(float *y, int i, float v) { y[i] = v; }
extern "C" __global__ void return_void(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (m[i] > 6)
        return (void)(y[i] = x[i]);
    set(y, i, x[i] * x[i]);
}
