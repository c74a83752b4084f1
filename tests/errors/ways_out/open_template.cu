// meets: template-argument
// s2sad: --of y --wrt x
template <typename T>
__global__ void square(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}
