// The elements of w have values only where the guard holds, and only behind v; the sums over the block part the guard.
extern "C" __global__ void list_behind_a_guard(int n, const float *x, const float *a, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i] * 2.0f;
    float w[2] = {v, v * v};
    float few[3] = {x[i]};
    float s = 0.0f;
    for (int j = 0; j < 4; ++j)
        s += a[j] * w[j % 2] * v * (few[j % 3] + 1.0f);
    y[i] = s;
}

//--
// kernel = "list_behind_a_guard"
// of = ["y"]
// wrt = ["a", "x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 37
// x = {shape="n", fill="uniform(-1,1)"}
// a = {shape="4", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
