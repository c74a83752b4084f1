constexpr __host__ __device__ int square(int a) { return a * a; }
__device__ constexpr int size = square(2);
static_assert(square(2) == 4, "");
extern "C" __global__ void constexpr_functions(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    constexpr int n2 = square(2);
    float v[n2 + 1] = {x[i]};
    v[size] = x[i + 1];
    y[i] = v[0] * v[size] * square(3);
}
