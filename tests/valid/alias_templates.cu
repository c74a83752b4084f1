// refused: not-supported
template <class T> struct Two { T a, b; };
template <class T> using vec = Two<T>;
using real = float;
typedef const float *pointer, &ref;
__device__ float rows(pointer p, int i) { return p[i]; }
extern "C" __global__ void alias_templates(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    vec<float> v{x[i], x[i + 1]};
    real r = v.a;
    y[i] = r * v.b * rows(x, i);
}
