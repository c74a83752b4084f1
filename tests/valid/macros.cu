#define SQUARE(v) ((v) * (v))
#define SWAP(a, b) do { float t_ = a; a = b; b = t_; } while (0);
#define CONCAT(a, b) a##b
#define VARIADIC(f, ...) f(__VA_ARGS__)
__device__ float f(float a, float b) { return a * b; }
extern "C" __global__ void macros(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = SQUARE(x[i]);
    SWAP(s, s)
    y[i] = s CONCAT(, * x)[i] * VARIADIC(f, x[i], 2.0f);
}
