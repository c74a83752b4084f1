// The body changes what the start of a countdown is made from: snapshots go by the start as it was.
extern "C" __global__ void snapshot_start_changes(int n, float r, const float *x, const int *p, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (int l = 0; l < 2; ++l) {
        for (int c = (int)(3.0f + 2.0f * r); c > 0; c--) { s = sinf(s + x[c % n]) + 0.1f * c; r = r * s; }
        r = r + 0.1f;
    }
    y[i] = s * r;
}
//--
// kernel = "snapshot_start_changes"
// of = ["y"]
// wrt = ["x", "r"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// r = 0.37
// x = {shape="n", fill="uniform(-1,1)"}
// p = {shape="n", fill="randint(0,4)"}
// y = {shape="n", fill="uniform(-1,1)"}
