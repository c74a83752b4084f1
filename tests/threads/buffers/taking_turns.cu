// Two buffers take turns: within an iteration nobody reads what another stores.
extern "C" __global__ void taking_turns(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[0][t] = x[i];
    s[1][t] = 0.0f;
    for (int k = 0; k < 4; ++k) {
        __syncthreads();
        float left = s[k & 1][(t + 1) % 32];
        s[1 - (k & 1)][t] = left * s[k & 1][t];
    }
    y[i] = s[0][t];
}
//--
// kernel = "taking_turns"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="64", fill="uniform(0.4,1.4)"}
// y = {shape="64", fill="uniform(-1,1)"}
// n = 64
