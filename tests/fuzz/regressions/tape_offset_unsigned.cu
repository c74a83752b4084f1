// A count that is negative where the loop does not run must not wrap in the offsets into the tape.
extern "C" __global__ void tape_offset_unsigned(int n, unsigned m, float a, const float *x, float *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    for (unsigned j = m; j > 2; j -= 2) a = 0.8f * sinf(a + 0.5f) * x[i] + 0.01f * j;
    for (unsigned j = 0; j < 3 + m; ++j) a = 0.9f * sinf(a) * x[i] + 0.02f * j;
    y[i] = a * a;
}
//--
// kernel = "tape_offset_unsigned"
// of = ["y"]
// wrt = ["a", "x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// m = 0
// a = 0.37
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}
