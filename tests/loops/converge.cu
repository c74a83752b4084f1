// Relaxes a row until nothing changes.
extern "C" __global__ void converge(float *y, float tol, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + 3 * i;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int k = 0; k < 2; ++k) {
            float d = v[k + 1] - v[k];
            if (d > tol) { v[k] += 0.3f * d; v[k + 1] -= 0.3f * d * v[k]; changed = true; }
        }
    }
}
//--
// kernel = "converge"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// tol = 0.2
// y = { shape = "3 * n", fill = "uniform(0.1, 1)" }
