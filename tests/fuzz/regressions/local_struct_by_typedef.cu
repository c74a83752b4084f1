// A struct by typedef in a function, and a pointer to it.
extern "C" __global__ void local_struct_by_typedef(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    typedef struct { float u, v; } P, *Where;
    P p = {x[i], 2.0f};
    for (int j = 0; j < 3; ++j) {
        typedef struct Step { float by; P at; } Step;
        Step s = {p.u * 0.5f, p};
        p.u += s.by * s.at.v;
        p.v = s.at.u * s.by;
    }
    y[i] = p.u * p.v;
}
//--
// kernel = "local_struct_by_typedef"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
