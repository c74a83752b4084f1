// s2sad: --of y --wrt x,scale
/* A file as people have them: includes, macros with and without arguments, constants,
 * conditional compilation, two helpers of which one isn't used, and a main function. */
#include <cstdio>
#include <math.h>

#define BLOCK_SIZE 16
#define SQUARE(v) ((v) * (v))
#define LEAK 0.01f
#ifdef USE_DOUBLE
typedef double real;
#else
typedef float real;
#endif

static const int kTerms = 3;
__constant__ float kCoefficients[3] = {0.5f, -0.25f, 0.125f};
constexpr float kOffset = 1.0f / 3.0f;

__device__ real unused(real v) { return v + 1; }

// Leaky, and quadratic near zero.
__device__ real leaky(real v)
{
    return v > 0 ? SQUARE(v) / (1 + v) : LEAK * v;
}

extern "C" __global__ void whole_file(const real *x, real scale, real *y, int n)
{
    const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; // one element a thread
    if (i >= n)
        return;
    real sum = kOffset;
#pragma unroll
    for (int k = 0; k < kTerms; ++k)
        sum += kCoefficients[k] * leaky(scale * x[i] - k); /* a term */
    y[i] = sum;
}

#define CHECK(call) if ((call) != cudaSuccess) return 1

int main()
{
    int n = 1000;
    float *x, *y;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    for (int i = 0; i < n; ++i)
        x[i] = sinf(0.1f * i);
    whole_file<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(x, 2.0f, y, n);
    CHECK(cudaDeviceSynchronize());
    printf("%f\n", y[10]);
    return 0;
}
