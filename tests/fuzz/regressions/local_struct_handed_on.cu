// A struct of a function's own, handed to a lambda, an array of arrays, and a ternary.
extern "C" __global__ void local_struct_handed_on(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct P { float u; float v[2]; } p[2] = {{x[i], {2.0f, 3.0f}}, {1.0f, {x[i], x[i] * x[i]}}};
    P q = x[i] > 0.0f ? p[0] : p[1];
    P *at = &q;
    at->u *= q.v[1];
    const P &same = p[1];
    y[i] = q.u * q.v[0] + same.v[1] * same.u;
}
//--
// kernel = "local_struct_handed_on"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
