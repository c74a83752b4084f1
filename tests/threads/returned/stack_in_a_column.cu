// A stack in each column.
extern "C" __global__ void stack_in_a_column(const float *x, float *y, int n)
{
    __shared__ float st[8][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int top = 0; float a = 0.0f;
    for (int k = 0; k < 8; ++k) {
        if (x[(i + k) % n] > 0.5f) { st[top][threadIdx.x] = x[(i + k) % n]; ++top; }
        else if (top > 0) { --top; a += st[top][threadIdx.x] * x[i]; }
    }
    y[i] = a;
}
//--
// kernel = "stack_in_a_column"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
