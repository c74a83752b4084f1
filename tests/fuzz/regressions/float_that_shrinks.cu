// What a float makes small: beside what it was before, float and double would seem to do the same.
extern "C" __global__ void float_that_shrinks(int n, const double *x, double *u, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = 0.25f * x[i];
        for (int k = 0; k < 5; ++k)
            u[i] *= 0.25f * v;
        double w = v * 0.01f;
        y[i] = w * w * v;
    }
}
//--
// kernel = "float_that_shrinks"
// of = ["u", "y"]
// wrt = ["u", "x"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// x = {shape="n", fill="uniform(0.5,1)"}
// u = {shape="n", fill="uniform(0.5,1)"}
// y = {shape="n", fill="uniform(0.5,1)"}
