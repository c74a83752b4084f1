// A variable restored in a reversed iteration and then overwritten, for values that nobody needs: its declaration went.
__device__ float f1(double d, float q) { return 1.4f * sinf(expf(-d * d) + q); }
extern "C" __global__ void restored_and_overwritten(int n, int m, double alpha, float beta, const double *x, double *out)
{
    int i = threadIdx.x;
    if (i % 2 != 0) {
        for (int c = 0; c != m; ++c) {
            beta *= cosf(x[i] + alpha);
            alpha *= cosf(x[i] + alpha);
        }
    }
    for (int k = 0; k < m; k++)
        out[i] = sin(alpha) * x[i] * beta;
    for (int ii = i % 3; ii <= 4; ii += 3) {
        int o = 0;
        while (o < 4 && f1(beta, beta) < 0.13f) {
            o += 1;
            beta = 0.7f * cosf(-(alpha + x[m]) + cosf(f1(x[i], alpha)));
            alpha = 0.15f * x[4];
            beta = 0.25f * cosf(sinf(x[i]) + (x[ii] < 0.0f ? x[(int)(1.5f + sinf(fmax(x[1], beta)))] : x[ii * 2]) * 0.9 * alpha);
            if (!((int)(1.5f + sinf(x[i])) >= i) && beta < 0.4) {
                float b[3];
                for (int q = 0; q < 3; ++q)
                    b[q] = sinf(x[i] * (alpha + alpha));
                beta = 0.25f * (-beta / (1.5f + b[ii % 3] * b[ii % 3]) + b[n % 2]);
            }
        }
    }
}
//--
// kernel = "restored_and_overwritten"
// of = ["out"]
// wrt = ["x", "alpha", "beta"]
// [launch]
// grid = 1
// block = 8
// [args]
// n = 8
// m = 2
// alpha = 0.3
// beta = -1.5
// x = { shape = 16, fill = "uniform(-1,1)" }
// out = { shape = 8, fill = "zeros" }
