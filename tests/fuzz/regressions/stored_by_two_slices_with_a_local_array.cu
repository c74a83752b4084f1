// As through a local array, overwritten in the branch once more.
extern "C" __global__ void stored_by_two_slices_with_a_local_array(const float *x, float *y, int n, float *u)
{
    int t = threadIdx.x;
    float s[2];
    s[0] = x[t];
    s[1] = x[t] * x[t];
    if (n > 2) {
        u[t] += 0.3f * cosf(u[t]);
        s[t % 2] += u[t] * u[t];
        s[0] *= s[0];
    } y[t] = s[0] * s[1] * s[0];
}
//--
// kernel = "stored_by_two_slices_with_a_local_array"
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
