// Two structs of one name in two scopes, with different fields.
extern "C" __global__ void one_tag_in_two_scopes(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    if (x[i] > 0.0f) {
        struct P { float u, v; } p = {x[i], 2.0f};
        s = p.u * p.v;
    } else {
        struct P { float c[3]; } p = {{x[i], x[i] * x[i], 1.0f}};
        s = p.c[0] * p.c[1] + p.c[2];
    }
    y[i] = s * s;
}
//--
// kernel = "one_tag_in_two_scopes"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
