// A struct in a lambda, and one that it captures.
extern "C" __global__ void local_struct_in_a_lambda(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct P { float u, v; } p = {x[i], 2.0f};
    auto f = [&](float a) {
        struct P { float w; } q = {a * p.u};
        return q.w * p.v;
    };
    y[i] = f(p.u) * p.u;
}
//--
// kernel = "local_struct_in_a_lambda"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
