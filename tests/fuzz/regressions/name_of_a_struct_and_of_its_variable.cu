// A struct and a variable of one name.
extern "C" __global__ void name_of_a_struct_and_of_its_variable(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct p { float u, v; } p = {x[i], 2.0f};
    struct p q = p;
    q.u *= p.v;
    y[i] = q.u * q.v * p.u;
}
//--
// kernel = "name_of_a_struct_and_of_its_variable"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
