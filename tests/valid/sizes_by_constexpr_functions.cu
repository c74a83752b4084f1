#define N 20
__host__ __device__ constexpr int div_up(int a, int b) { return (a + b - 1) / b; }

template <class T> constexpr __host__ __device__ T larger(T a, T b) { return a < b ? b : a; }

__host__ __device__ constexpr int log2_of(int n)
{
    int bits = 0;
    while (n > 1) {
        n /= 2;
        ++bits;
    }
    return bits;
}

constexpr int ROWS = div_up(N, 8);
constexpr unsigned WIDE = larger(2u, 5u);
constexpr float HALF = 1.0f / div_up(3, 2);

struct Row {
    float at[div_up(N, 8)];
};

extern "C" __global__ void sizes_by_constexpr_functions(const float *x, const int *m, float *y, int n)
{
    __shared__ float t[div_up(N, 8)];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < ROWS)
        t[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    if (i >= n)
        return;
    constexpr int bits = log2_of(N);
    float v[bits];
    Row row;
    float u[WIDE];
    for (int j = 0; j < bits; ++j)
        v[j] = x[i] * (float)(j + 1);
    for (int j = 0; j < ROWS; ++j)
        row.at[j] = v[j] * v[j];
    for (int j = 0; j < WIDE; ++j)
        u[j] = v[j % bits] * HALF;
    float s = 0.0f;
    for (int j = 0; j < ROWS; ++j)
        s += row.at[j] * t[j] * u[j];
    y[i] = s;
}
