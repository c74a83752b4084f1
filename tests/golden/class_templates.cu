// s2sad: --of out --wrt a,rays --template T=float
// A class template with operators, a friend, a constructor, constants and types inside; another
// that is specialised, and an alias of what it holds.
template <typename T, int N = 3>
struct Vec {
    using scalar = T;
    static constexpr int size = N;
    T v[N];
    __device__ Vec operator+(const Vec &o) const
    {
        Vec r;
        for (int k = 0; k < size; ++k)
            r.v[k] = v[k] + o.v[k];
        return r;
    }
    __device__ T dot(const Vec<T, N> &o) const
    {
        T s = 0;
        for (int k = 0; k < N; ++k)
            s += v[k] * o.v[k];
        return s;
    }
    __device__ static T longest(T a, T b) { return max(a, b) * size; }
    friend __device__ T first(const Vec &o) { return o.v[0]; }
};

template <typename T, int N>
__device__ Vec<T, N> operator*(T s, const Vec<T, N> &a)
{
    Vec<T, N> r;
    for (int k = 0; k < N; ++k)
        r.v[k] = s * a.v[k];
    return r;
}

template <typename T>
class Span {
public:
    T low, high;
    __device__ Span(T a, T b) : low(a), high(b) {}
    __device__ T width() const { return high - low; }
};

template <typename T>
struct Pick;
template <>
struct Pick<float> {
    using type = float2;
};
template <typename T>
using Pair = typename Pick<T>::type;

struct Ray {
    Vec<float> from;
    float t;
};

template <typename T>
__global__ void trace(const Vec<T> *a, const Ray *rays, Pair<T> *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec<T> s = a[i] + rays[i].from;
    typename Vec<T>::scalar d = s.dot(a[i]);
    s = d * s;
    Span<T> span(rays[i].t, first(s));
    out[i].x = span.width() * Vec<T>::size;
    out[i].y = Vec<T>::longest(d, s.v[1]);
}
