// refused: not-supported
typedef const float *pointer;
__device__ float rows(pointer p, int i) { return p[i]; }
extern "C" __global__ void typedef_of_a_pointer(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = rows(x, i) * x[i];
}
