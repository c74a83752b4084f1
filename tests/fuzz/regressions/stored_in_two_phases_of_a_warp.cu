// Elements that two lanes store, the second behind a barrier of the warp, in shared and in global memory.
extern "C" __global__ void phases(const float *x, float *y, float *z, int n)
{
    __shared__ float s[64], first[2];
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;
    z[i] = x[i] * x[i];
    s[t] = sinf(x[i]);
    __syncwarp();
    if (lane < 31) {
        z[i + 1] = x[i] * 3.0f;
        s[t + 1] = x[i] * 0.5f;
    }
    __syncwarp();
    float a = s[t] * s[t];
    for (int d = 0; d < 3; ++d) {
        if (lane == d)
            first[t / 32] = a * x[i];
        __syncwarp();
        a += first[t / 32] * x[i];
        __syncwarp();
        if (lane == d + 1)
            z[i] = a;
        __syncwarp();
        if (lane == d)
            z[i + 1] = a * a;
        __syncwarp();
    }
    y[i] = a;
}
//--
// kernel = "phases"
// of = ["y", "z"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 64
// [args]
// n = 128
// x = { shape = "n", fill = "normal" }
// y = { shape = "n", fill = "zeros" }
// z = { shape = "n", fill = "zeros" }
