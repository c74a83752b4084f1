// A read that a choice may leave out was the record of a later read of the same element.
extern "C" __global__ void k(double alpha, double beta, int m, float *st, int n, const float *x)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float f = 0.0f;
        beta = (n <= i ? st[i] : x[m] * x[(i + n - 1) % n]);
        st[i] = tanhf((beta - st[i]));
    }
}

//--
// kernel = "k"
// of = ["st"]
// wrt = ["alpha", "beta", "st"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// alpha = 0.800
// beta = -0.824
// m = 3
// st = {shape="n", fill="uniform(-1,1)"}
// n = 5
// x = {shape="n", fill="uniform(-1,1)"}
