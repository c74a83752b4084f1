// A counter in a loop's step that nothing reads in the reverse sweep goes with its declaration.
extern "C" __global__ void counter_nobody_reads(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float r[3];
    float rr = 0.0f, s = 0.0f;
    for (int k = 0; k < 3; ++k) r[k] = x[i * 3 + k];
    for (int turn = 0; turn < 2; ++turn) {
        float old = rr;
        rr = 0.0f;
        for (int k = 0, k_left = 3; k_left > 0; k++, --k_left) {
            r[k] -= 0.3f * r[k] * r[k];
            rr += r[k] * r[k];
        }
        s += rr * old;
    }
    y[i] = s;
}
//--
// kernel = "counter_nobody_reads"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="3*n", fill="uniform(0.1,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// n = 6
