// In the split shape what K_adj runs again goes on from the recorded value, whichever branch is taken.
extern "C" __global__ void split_conditional_not_restored(int n, float r, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = r;
    for (int k = 0; k < i; ++k) s = sinf(s) + x[k];
    if (x[i] > 0.0f) s = s * s;
    y[i] = sinf(s);
}
//--
// kernel = "split_conditional_not_restored"
// of = ["y"]
// wrt = ["x", "r"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// r = 0.37
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
