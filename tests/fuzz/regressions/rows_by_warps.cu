// A row per warp: its loop goes round as often for a warp, not for the block, whose sum stood in it.
extern "C" __global__ void rows_by_warps(const float *x, const float *c, float *y, int rows)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    int lane = t % 32;
    for (int r = blockIdx.x * 2 + t / 32; r < rows; r += gridDim.x * 2) {
        s[t] = x[r * 32 + lane];
        __syncwarp();
        float acc = 0.0f;
        for (int j = 0; j < 3; ++j)
            acc += c[j] * s[t ^ j];
        y[r * 32 + lane] = acc;
        __syncwarp();
    }
}
//--
// kernel = "rows_by_warps"
// of = ["y"]
// wrt = ["x", "c"]
// [launch]
// grid = 2
// block = 64
// [args]
// rows = 7
// x = { shape = "rows * 32", fill = "normal" }
// c = { shape = "3", fill = "normal" }
// y = { shape = "rows * 32", fill = "zeros" }
