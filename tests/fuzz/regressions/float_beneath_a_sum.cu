// A float that matters, in what is added to a large number: adjoints of doubles pass through it, too.
extern "C" __global__ void float_beneath_a_sum(int n, const double *w, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float g = w[i];
        y[i] += 1e-6 * w[i] * cosf(g);
    }
}
//--
// kernel = "float_beneath_a_sum"
// of = ["y"]
// wrt = ["w"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// w = {shape="n", fill="uniform(0.5,1)"}
// y = {shape="n", fill="uniform(1,2)"}
