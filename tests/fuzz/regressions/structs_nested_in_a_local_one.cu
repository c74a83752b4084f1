// Structs defined in a struct that is defined in a function.
extern "C" __global__ void structs_nested_in_a_local_one(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct Outer {
        struct Inner { float a, b; } in[2];
        struct { float c; } last;
        struct Own { float e; };
        Own own;
    } o;
    o.in[0].a = x[i];
    o.in[0].b = 2.0f * x[i];
    o.in[1] = o.in[0];
    o.in[1].a *= o.in[0].b;
    o.last.c = o.in[1].a;
    Outer::Own mine = {o.last.c * x[i]};
    o.own = mine;
    y[i] = o.last.c * o.in[1].b + o.own.e * o.own.e;
}
//--
// kernel = "structs_nested_in_a_local_one"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
