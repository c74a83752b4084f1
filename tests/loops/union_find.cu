// Finds roots in a forest and joins them, each thread its own.
extern "C" __global__ void union_find(const int *one, const int *two, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int parent[70];
    float *v = y + 2 * i;
    for (int k = 0; k < 70; ++k) parent[k] = k;
    for (int e = 0; e < 6; ++e) {
        int a = one[e], b = two[e];
        while (parent[a] != a) { a = parent[a]; v[0] = v[0] * w[e] + 0.2f; }
        while (parent[b] != b) { b = parent[b]; v[1] = v[1] * w[e] * v[0]; }
        parent[a] = b;
    }
}
//--
// kernel = "union_find"
// of = ["y"]
// wrt = ["w"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// one = [0, 1, 2, 0, 4, 5]
// two = [1, 2, 3, 4, 5, 0]
// w = { shape = "6", fill = "uniform(0.3, 1.2)" }
// y = { shape = "2 * n", fill = "uniform(0.3, 1.2)" }
