// Walks a tree with a stack that is too large for snapshots.
extern "C" __global__ void worklist(const float *x, const int *left, const int *right, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int stack[128];
    int sp = 0;
    stack[sp++] = i % 3;
    float s = x[i];
    while (sp > 0) {
        int node = stack[--sp];
        s = s * sinf(x[node]) + x[node];
        if (left[node] > node) stack[sp++] = left[node];
        if (right[node] > node) stack[sp++] = right[node];
    }
    y[i] = s;
}
//--
// kernel = "worklist"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// m = 12
// x = { shape = "n", fill = "uniform(0.3, 1.2)" }
// left = { shape = "m", fill = "randint(0, 12)" }
// right = { shape = "m", fill = "randint(0, 12)" }
// y = { shape = "n", fill = "zeros" }
