// A lane and a warp by bits: neither is negative, so that the host can bound the tape.
extern "C" __global__ void shifted(const float *x, const float *c, float *y, int rows, int n)
{
    __shared__ float s[2][33];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int r = blockIdx.x * 2 + warp; r < rows; r += gridDim.x * 2) {
        float sum = 0.0f;
        for (int j = 0; j < 3; ++j) {
            s[warp][lane] = x[r * n + lane] * c[j];
            __syncwarp();
            sum += s[warp][31 - lane] * s[warp][(lane + j) % 32];
            __syncwarp();
        }
        y[r * n + lane] = sum;
    }
}
//--
// kernel = "shifted"
// of = ["y"]
// wrt = ["x", "c"]
// [launch]
// grid = 2
// block = 64
// [args]
// rows = 7
// n = 40
// x = { shape = "rows * 40", fill = "uniform(0.3, 1.5)" }
// c = { shape = "40", fill = "uniform(0.3, 1.5)" }
// y = { shape = "rows * 40", fill = "zeros" }
