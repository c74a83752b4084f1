struct Q {
    using real = float;
};
using P = Q;
template <class T> struct Box {
    using type = T;
    T v;
};
using B = Box<float>;
struct F {
    P::real a;
    B::type b;
    B box;
};
namespace a {
namespace b {
struct N {
    float v;
};
__device__ float f(float v) { return v * v; }
}
}
namespace ab = a::b;
struct G {
    ab::N n;
    typename B::type c;
};
extern "C" __global__ void member_types_in_a_struct(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    F f = {x[i], x[i + 1], {2.0f}};
    G g;
    g.n.v = x[i];
    g.c = 2.0f;
    y[i] = f.a * f.b * f.box.v * ab::f(g.n.v) * g.c;
}
