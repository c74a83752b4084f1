// Constants of a file that are templates: weights that come from outside, and numbers.
// s2sad: --of y --wrt x,taps_float
#define TAPS 5

template <typename T>
__constant__ T taps[TAPS];

template <typename T, int N>
constexpr T share = T(1) / N;

template <typename T>
__device__ T weighted(const T *x, int at, int n)
{
    T sum = 0;
    for (int k = 0; k < TAPS; k++)
        if (at + k < n)
            sum += taps<T>[k] * x[at + k];
    return sum;
}

template <typename T>
__global__ void variable_templates(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = share<T, TAPS - 1> * weighted(x, i, n) + taps<T>[0] * sin(taps<T>[2] * x[i]);
}

template __global__ void variable_templates<float>(const float *x, float *y, int n);
