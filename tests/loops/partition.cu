// Hoare's partition around a pivot.
extern "C" __global__ void partition(float *y, const float *p, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + m * i;
    int lo = 0, hi = m - 1;
    while (lo <= hi) {
        while (lo <= hi && v[lo] < p[i]) lo++;
        while (lo <= hi && v[hi] >= p[i]) hi--;
        if (lo < hi) {
            float t = v[lo]; v[lo] = v[hi] * 2.0f; v[hi] = t * t;
            lo++; hi--;
        }
    }
}
//--
// kernel = "partition"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// m = 6
// y = { shape = "n * m", fill = "uniform(0.3, 1.2)" }
// p = { shape = "n", fill = "uniform(0.5, 0.9)" }
