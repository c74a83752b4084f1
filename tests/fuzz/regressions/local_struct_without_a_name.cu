// A struct without a name, two variables and an array of it.
extern "C" __global__ void local_struct_without_a_name(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct { float u, v; } p = {x[i], 2.0f}, q[2];
    q[0].u = p.u * p.v; q[0].v = p.u;
    q[1] = q[0];
    q[1].u *= q[0].v;
    y[i] = q[1].u * q[1].v;
}
//--
// kernel = "local_struct_without_a_name"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
