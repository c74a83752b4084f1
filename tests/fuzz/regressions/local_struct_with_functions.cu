// A struct in a function, with a constructor, a method and an operator.
extern "C" __global__ void local_struct_with_functions(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    constexpr float half = 0.5f;
    typedef float Real;
    struct P {
        Real u, v;
        __device__ P(float a, float b) : u(a), v(b * half) {}
        __device__ Real both() const { return u * v; }
        __device__ P operator+(const P &o) const { return P(u + o.u, v + o.v); }
    } p(x[i], 2.0f);
    P q = p + P(x[i] * x[i], x[i]);
    y[i] = q.both() * p.u;
}
//--
// kernel = "local_struct_with_functions"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
