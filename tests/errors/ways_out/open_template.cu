// meets: template-argument
// s2sad: --of y --wrt x
template <int N>
__global__ void scale(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i] * N;
}
