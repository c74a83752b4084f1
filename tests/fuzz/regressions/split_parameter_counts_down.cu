// In the split shape a parameter that counts down is known after the loop.
extern "C" __global__ void split_parameter_counts_down(int n, const float *x, float *y, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    while (k-- > 0) s = s * x[k] + sinf(s);
    y[i] = s * k;
}
//--
// kernel = "split_parameter_counts_down"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// k = 3
