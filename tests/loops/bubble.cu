// Bubble sort that stops when nothing was swapped.
extern "C" __global__ void bubble(float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float *v = y + m * i;
    bool swapped;
    do {
        swapped = false;
        for (int k = 0; k + 1 < m; ++k)
            if (v[k] > v[k + 1]) { float t = v[k]; v[k] = v[k + 1]; v[k + 1] = t; swapped = true; }
    } while (swapped);
    v[0] = v[0] * v[m - 1];
}
//--
// kernel = "bubble"
// of = ["y"]
// wrt = ["y"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// m = 5
// y = { shape = "n * m", fill = "uniform(0.3, 1.2)" }
