// No derivative of nothing over something: dividing its square by its numerator made NaN.
extern "C" __global__ void zero_over(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float m = 0.0f / (x[i] * x[i] + 1.0f);
        y[i] = m * x[i] + sinf(x[i]);
    }
}
//--
// kernel = "zero_over"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
