// `using` and `constexpr` in a function and in a loop.
extern "C" __global__ void local_alias_and_constant(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    constexpr int COUNT = 3;
    using Row = float[COUNT];
    using Real = float;
    struct Rows { Real a[COUNT], b[COUNT + 1]; };
    Row row;
    for (int j = 0; j < COUNT; ++j) {
        constexpr Real scale = 0.25f;
        using Pair = struct { Real u, v; };
        Pair p = {x[i] * scale, (float)j};
        row[j] = p.u * p.v + p.u * p.u;
    }
    Rows both = {{row[0], row[1], row[2]}, {1.0f}};
    y[i] = both.a[1] * both.a[2] + both.b[0] * both.a[0];
}
//--
// kernel = "local_alias_and_constant"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
