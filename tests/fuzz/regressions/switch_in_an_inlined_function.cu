// The segments of a switch end with a break in a function that is written into the kernel, too.
__device__ void folded(const float *v, float &acc, int q, int len)
{
    for (int j = 0; j < len; ++j) {
        if (j == q) continue;
        switch ((q + j) % 4) {
            case 0: acc += v[j];
            acc *= 0.5f;
            break;
            case 1: acc *= v[j];
            break;
            case 2: acc = sinf(acc);
            default: acc += 0.1f * v[j] * acc;
        }
    }
}
extern "C" __global__ void switch_in_an_inlined_function(const float *x, float *y, const int *idx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[4];
    int q = idx[i];
    float acc = 0.1f;
    for (int k = 0; k < 4; ++k) v[k] = x[i * 4 + k];
    folded(v, acc, q, 4);
    y[i] = acc;
}
//--
// kernel = "switch_in_an_inlined_function"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 13
// x = {shape="4*n", fill="uniform(0.3,1.3)"}
// idx = {shape="n", fill="randint(0,6)"}
// y = {shape="n", fill="zeros"}
