// s2sad: --of y --wrt x,w --template T=float
// A blur and its powers: a kernel template with a type, a number and a switch, taken from the
// launch but for the type; function templates with deduced, written and default arguments.
template <typename T>
__host__ __device__ inline T square(T v)
{
    return v * v;
}

template <int N, typename T = float>
__device__ T power(T v)
{
    T r = v;
#pragma unroll N
    for (int k = 1; k < N; ++k)
        r *= v;
    return r;
}

template <int N = 3, typename T>
__device__ T power_or_zero(T v, bool sharp)
{
    if constexpr (N == 1)
        return sharp ? v : T(0);
    else
        return sharp ? power<N, T>(v) : T(0);
}

template <typename T, int RADIUS, bool SHARP = true>
__global__ void __launch_bounds__(64 * RADIUS) blur(const T *__restrict__ x, const T *w, T *y, int n)
{
    __shared__ T tile[64 + 2 * RADIUS];
    const int i = blockIdx.x * 64 + threadIdx.x - RADIUS;
    tile[threadIdx.x] = i >= 0 && i < n ? x[i] : T(0);
    if (threadIdx.x < 2 * RADIUS)
        tile[threadIdx.x + 64] = i + 64 >= 0 && i + 64 < n ? x[i + 64] : T(0);
    __syncthreads();
    T sum = 0;
    for (int k = 0; k <= 2 * RADIUS; ++k)
        sum += w[k] * tile[threadIdx.x + k];
    if constexpr (SHARP)
        sum = power<RADIUS>(sum) - square(sum) + power_or_zero(sum, n > 3);
    if (i + RADIUS < n)
        y[i + RADIUS] = std::max<T>(sum, -2);
}

template <typename T>
void launch(const T *x, const T *w, T *y, int n)
{
    blur<T, 2><<<(n + 63) / 64, 64>>>(x, w, y, n);
}
