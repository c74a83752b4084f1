// refused: not-supported
struct A { float a; __device__ auto square() const -> float { return a * a; } };
template <typename T, typename U> __device__ auto product(T a, U b) -> decltype(a * b) { return a * b; }
__device__ auto m2(float v) -> A { A a{v}; return A{a.square()}; }
extern "C" __global__ void trailing_return_of_a_template(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = product(x[i], x[i + 1]) * m2(x[i]).a;
}
