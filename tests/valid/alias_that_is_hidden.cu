struct Q {
    static __device__ float f(float v) { return 2.0f * v; }
};
typedef Q R;
using P = Q;
template <typename P> __device__ float by(float v) { return P::f(v); }
extern "C" __global__ void alias_that_is_hidden(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct R {
        float v;
        static __device__ float f(float v) { return v * v; }
    };
    y[i] = R::f(x[i]) * P::f(x[i]) * by<Q>(x[i]);
}
