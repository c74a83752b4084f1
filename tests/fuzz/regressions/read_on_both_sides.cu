// One element on both sides of a condition, and behind two of three: recorded wherever it is read.
extern "C" __global__ void read_on_both_sides(int n, const float *x, float *u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u[i] = (i == 3 ? u[i] : u[i]) * x[i];
    u[i] = u[i] * (i > 2 ? (i > 4 ? u[i] : 1.0f) : (i > 0 ? u[i] * x[i] : x[i]));
    u[i] = 0.5f * (i < 5 ? u[i + 1 - 1] : x[i]) + sinf(i < 5 ? x[i] : i > 6 && u[i + 1 - 1] > 0.1f ? u[i + 1 - 1] : 0.3f);
    u[i] = i < 2 || u[i] > 0.2f ? u[i] * u[i] : x[i];
    u[i] = u[i] * u[i];
}
//--
// kernel = "read_on_both_sides"
// of = ["u"]
// wrt = ["u", "x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 8
// x = {shape="n", fill="uniform(0.2,1.3)"}
// u = {shape="n", fill="uniform(0.3,1)"}
