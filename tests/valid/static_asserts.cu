static_assert(sizeof(int) == 4, "int");
constexpr int N = 3;
static_assert(N == 3 && N < 5);
extern "C" __global__ void static_asserts(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    static_assert(sizeof(float) > 0, "a size");
    static_assert(true);
    y[i] = x[i] * x[i];
}
