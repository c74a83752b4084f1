// refused: not-supported
__device__ float g(float v, float scale = 2.0f, int k = 0);
__device__ float g(float v, float scale, int k) { return v * scale + k; }
extern "C" __global__ void default_in_a_declaration(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = g(x[i]) * x[i];
}
