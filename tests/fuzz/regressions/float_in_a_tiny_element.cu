// A float factor in elements that four steps make tiny: beside the untouched ones its error is nothing.
// assume injective:u
// assume injective:buf
// assume injective:tile
extern "C" __global__ void float_in_a_tiny_element(int n, int steps, const double *x, const int *idx, double *y, double *u)
{
    int t = threadIdx.y * 4 + threadIdx.x;
    int b = blockIdx.x;
    int i = b * 8 + t;
    __shared__ double buf[8];
    __shared__ double tile[2][5];
    buf[t] = 0.5f * 0.45f * u[b * 8 + 8 - 1 - t];
    for (int q1 = t; q1 < 8; q1 += 8) {
        tile[(q1) / 4][(q1) % 4] = x[q1 % n];
    }
    int k2 = 0;
    while (k2 < steps) {
        __syncthreads();
        for (int d3 = 1; d3 < (int)8; d3 *= 2) {
            if (t % (2 * d3) == 0 && t + d3 < 8) {
                tile[(t) / 4][(t) % 4] = fmaxf(tile[(t) / 4][(t) % 4], tile[(t + d3) / 4][(t + d3) % 4]);
            }
            __syncthreads();
        }
        float a4 = 0.2f;
        if (t >= k2) {
            const int at5 = k2 + n / 3;
            for (int q6 = 0; q6 < 2; ++q6) {
                a4 = sinf(a4 + x[(at5 + q6) % n] * (0.75f * x[i] - 0.25f * buf[0]));
            }
        }
        ++k2;
    }
    __syncthreads();
    if (t % 2 == 1) {
        buf[t] = 0.5f * (0.75f * x[i] - 0.25f * x[i]) * (0.75f * 0.79f - 0.25f * x[i]);
    }
    float a7 = 0.2f;
    {
        const int at8 = n / 3;
        for (int q9 = 0; q9 < steps; ++q9) {
            a7 += 0.3f * x[(at8 + q9) % n] * (idx[i] > 0 ? x[i] : tile[((t + 4) % 8) / 4][((t + 4) % 8) % 4]);
        }
    }
    int k10 = 3 + 1;
    do {
        if (t % 2 == 1) {
            float g11 = 0.5f * buf[t] * tile[((t > 0 ? t - 1 : 0)) / 4][((t > 0 ? t - 1 : 0)) % 4];
            u[b * 8 + (t + 2) % 8] = 0.5f * 0.5f * buf[t] * a7 * u[b * 8 + (t + 2) % 8];
        }
        --k10;
    } while (k10 > 0);
}

//--
// kernel = "float_in_a_tiny_element"
// of = ["y", "u"]
// wrt = ["u", "x"]
// [launch]
// grid = 3
// block = [4, 2]
// [args]
// n = 24
// steps = 1
// x = {shape="n", fill="uniform(-1,1)"}
// idx = {shape="n", fill="randint(0,8)"}
// y = {shape="n", fill="uniform(-1,1)"}
// u = {shape="n", fill="uniform(-1,1)"}
