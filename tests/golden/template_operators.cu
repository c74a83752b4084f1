// s2sad: --of y --wrt x,f --template F=Longest<float>
// Operators that are templates, of which the more special one is meant; a kernel of any functor.
template <typename T>
struct Point {
    T x, y;
};

template <typename T, typename S>
__device__ Point<T> operator*(Point<T> a, S s)
{
    Point<T> r;
    r.x = a.x * s;
    r.y = a.y * s;
    return r;
}
template <typename T>
__device__ Point<T> operator*(Point<T> a, Point<T> b)
{
    Point<T> r;
    r.x = a.x * b.x;
    r.y = a.y * b.y;
    return r;
}

template <typename T>
struct Longest {
    T weight;
    __device__ T operator()(T a, T b) const { return fmaxf(a, b) * weight; }
};

template <typename F>
__global__ void measure(const float *x, float *y, F f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Point<float> p = {x[2 * i], x[2 * i + 1]};
    p = p * p * 2.0f;
    y[i] = f(p.x, p.y);
}
