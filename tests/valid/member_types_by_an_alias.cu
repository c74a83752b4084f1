struct Q {
    using real = float;
    static constexpr int two = 2;
    static __device__ float scale(float v) { return 2.0f * v; }
};
template <class T> struct Box {
    typedef T type;
};
using B = Box<float>;
typedef Q R;
extern "C" __global__ void member_types_by_an_alias(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    using P = Q;
    P::real a = x[i];
    B::type b = a * a;
    y[i] = a * b * P::two * R::scale(b);
}
