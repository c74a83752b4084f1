// row: coincident particles
// expected: right
extern "C" __global__ void coincident_particles(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float f = 0.0f;
    for (int j = 0; j < n; ++j) {
        float d = x[j] - x[i], r = sqrtf(d * d);
        if (r > 0.01f)
            f += d / (r * r * r + 0.5f);
    }
    y[i] = f;
}
//--
// kernel = "coincident_particles"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// x = { shape = "n", fill = "uniform(-1, 1)" }
// y = { shape = "n", fill = "zeros" }
