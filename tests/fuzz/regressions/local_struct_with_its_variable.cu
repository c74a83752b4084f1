// A struct is defined together with its variable.
extern "C" __global__ void local_struct_with_its_variable(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct P { float u, v; } p = {x[i], 2.0f};
    p.v += p.u;
    y[i] = p.u * p.v * p.u;
}
//--
// kernel = "local_struct_with_its_variable"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
