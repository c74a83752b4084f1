// s2sad: --of y --wrt x --template Law=Cubic
// What a law is called with, its constants and its type come from the template's parameter.
struct Linear {
    using scalar = double;
    static constexpr int order = 1;
    static __device__ double apply(double a) { return a; }
};

struct Cubic {
    using scalar = float;
    static constexpr int order = 3;
    static __device__ float apply(float a) { return a * a * a; }
};

template <typename T>
struct Lanes {
    static const int count = 4;
    typedef T type;
};

template <typename Law, typename T>
__device__ T damped(T a)
{
    typename Law::scalar b = Law::apply(a);
    return b / (1 + Law::order * b * b);
}

template <typename Law>
__global__ void respond(const typename Law::scalar *x, typename Law::scalar *y, int n)
{
    typedef Lanes<typename Law::scalar> Each;
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * Each::count;
    if (first + Each::count > n)
        return;
    for (int k = 0; k < Each::count; ++k) {
        typename Each::type v = Law::apply(x[first + k]) * Law::order;
        y[first + k] = v - damped<Law>(x[first + k]);
    }
}
