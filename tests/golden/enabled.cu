// s2sad: --of y --wrt x,p,q --template T=float
// Templates that `enable_if` chooses among, by what the types are.
template <typename T>
struct IsPair : std::false_type {};
template <>
struct IsPair<float2> : std::true_type {};

template <typename V, std::enable_if_t<IsPair<V>::value> * = nullptr>
__device__ float dot(const V &a, const V &b)
{
    return a.x * b.x + a.y * b.y;
}

template <typename V, std::enable_if_t<!IsPair<V>::value> * = nullptr>
__device__ float dot(const V &a, const V &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename T>
__device__ typename std::enable_if<std::is_integral<T>::value, float>::type softened(T a)
{
    return 1.0f / (1 + a);
}

template <typename T>
__device__ typename std::enable_if<std::is_floating_point<T>::value, T>::type softened(T a)
{
    return a / (T(1) + a * a);
}

template <typename T, typename = std::enable_if_t<std::is_floating_point_v<T>>>
__device__ std::enable_if_t<true> store(T *y, int i, T v)
{
    y[i] = v;
}

template <typename T, typename std::enable_if<!std::is_same<T, int>::value, int>::type = 0>
__global__ void enabled(const T *x, const float2 *p, const float3 *q, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        store(y, i, softened(x[i]) * dot(p[i], p[i]) + softened(n) * dot(q[i], q[i]));
}
