#include <type_traits>
template <typename T, typename std::enable_if<std::is_floating_point<T>::value, int>::type = 0>
__device__ T f(T v) { return v * v; }
extern "C" __global__ void requires_type_traits(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f<float>(x[i]) * (std::is_same<float, float>::value ? 2.0f : 1.0f);
}
