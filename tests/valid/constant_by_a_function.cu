constexpr __host__ __device__ int square(int a) { return a * a; }
constexpr int size = square(2);
extern "C" __global__ void constant_by_a_function(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * size * x[i];
}
