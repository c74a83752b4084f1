// A wide signed counter goes down from one before a narrow unsigned bound of zero: minus one, not 4294967295.
extern "C" __global__ void long_counter_narrow_unsigned_bound(int n, unsigned none, unsigned m, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (long k = 0; k < none; ++k) { s = sinf(s) * x[i] + 0.1f * k; }
    for (long k = 0; k != none; k++) { s = sinf(s) * x[i] + 0.1f * k; }
    for (long k = -1; k < none; k++) { s = sinf(s) * x[i] + 0.1f * k; }
    for (long k = 2; k < m; k += 2) { s = sinf(s) * x[i] + 0.1f * k; }
    for (unsigned left = m; left > 0; --left) {
        for (long k = 0; k != left - 1; ++k) { s = sinf(s) * x[i] + 0.1f * k; }
    }
    y[i] = s;
}
//--
// kernel = "long_counter_narrow_unsigned_bound"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// none = 0
// m = 4
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
