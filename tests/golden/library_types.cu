// Types made of types: remove_cv_t, remove_reference_t, conditional, make_unsigned and decltype.
// s2sad: --of y --wrt atoms,x
#define EACH(i, n) \
    for (std::remove_cv_t<std::remove_reference_t<decltype(n)>> i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
         i += blockDim.x * gridDim.x)

struct Atom {
    float x, y;
    int kind;
};

template <typename T>
__device__ T squared(const T &v)
{
    typename std::decay<decltype(v)>::type w = v;
    w *= v;
    return w;
}

template <typename T, bool WIDE>
__global__ void library_types(const Atom *atoms, const T *x, T *y, const long n)
{
    using Sum = std::conditional_t<WIDE && sizeof(T) == 4, double, T>;
    typename std::make_unsigned<int>::type weight = 3u;
    EACH(i, n)
    {
        Sum s = atoms[i].x * x[i];
        decltype(s) t = s * s + atoms[i].y;
        typename std::conditional<(sizeof(s) > 4), T, int>::type r = t;
        y[i] = squared(r) * weight + atoms[i].kind * x[i];
    }
}

template __global__ void library_types<float, true>(const Atom *atoms, const float *x, float *y, const long n);
