// An element that both sides of a choice read is recorded whichever is taken.
extern "C" __global__ void read_in_both_branches(int n, const float *x, float *z, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = sinf((i % 2 == 0 ? z[i] * x[i] : tanhf(z[i] * z[i])) + (i > 2 && z[i] > 0.1f || z[i] < -0.2f ? z[i] : x[i]));
    z[i] = (i < 3 ? x[i] - z[i] : fminf(z[i], x[i]));
    y[i] += i % 3 == 1 ? z[i] * z[i] : i % 3 == 2 ? sinf(z[i]) * x[i] : x[i];
    z[i] = 0.5f;
}
//--
// kernel = "read_in_both_branches"
// of = ["y", "z"]
// wrt = ["x", "z"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// z = {shape="n", fill="uniform(-1,1)"}
