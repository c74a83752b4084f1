// A branch overwrites an element in place, and what it computes from it goes on behind the branch.
extern "C" __global__ void stored_by_two_slices(const float *x, float *y, int n, float *u)
{
    int t = threadIdx.x;
    float v = 0.5f;
    if (n > 2) {
        u[t] += 0.3f * cosf(u[t]);
        v = u[t] * u[t];
    } y[t] = v * v;
}
//--
// kernel = "stored_by_two_slices"
// of = ["y", "u"]
// wrt = ["x", "u"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 3
// u = {shape="16", fill="uniform(0.2,1)"}
