// A barrier of a warp doesn't keep additions of the block's threads apart.
extern "C" __global__ void around(const float *x, float *y, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    s[t] = x[i]; s[t + 64] = x[i] * 2.0f;
    __syncthreads();
    float a = s[t] * s[t];
    __syncwarp();
    float b = s[t + 40] * a;
    __syncwarp();
    y[i] = b;
}
//--
// kernel = "around"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 64
// [args]
// n = 128
// x = { shape = "n", fill = "normal" }
// y = { shape = "n", fill = "zeros" }
