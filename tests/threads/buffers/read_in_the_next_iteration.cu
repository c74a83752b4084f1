// All accesses stand between the same two barriers of a loop: what one stores another reads an iteration later.
extern "C" __global__ void read_in_the_next_iteration(const float *x, float *y, int n)
{
    __shared__ float s[4][32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float a = 0.0f;
    for (int k = 0; k < 4; ++k) {
        s[k][t] = x[i] * (k + 1.0f);
        if (k > 0)
            a += s[k - 1][(t + 1) % 32] * s[k - 1][(t + 2) % 32] * x[i];
        __syncthreads();
    }
    y[i] = a;
}
//--
// kernel = "read_in_the_next_iteration"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="64", fill="uniform(0.4,1.4)"}
// y = {shape="64", fill="uniform(-1,1)"}
// n = 64
