// A struct in a struct of the file, by its whole name.
struct Q {
    struct R { float v, w; };
    R r;
    struct S { float z; } s;
};

extern "C" __global__ void struct_named_by_its_struct(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Q::R r = {x[i], 3.0f};
    Q q;
    q.r = r;
    q.r.v *= r.w;
    q.s.z = q.r.v * x[i];
    Q::S s = q.s;
    y[i] = q.r.v * s.z;
}
//--
// kernel = "struct_named_by_its_struct"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
