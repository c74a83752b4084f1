// Counters of every direction, step and comparison, from and to everything near zero: some loops never run.
extern "C" __global__ void reversed_headers(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int a = i % 9 - 4, b = i / 9 - 4;
    unsigned ua = i % 9, ub = i / 9;
    const int d = blockDim.x;
    float v = x[i];
    for (int k = a; k < b; k += 2) v = sinf(v) * x[i] + 0.01f * k;
    for (int k = a; k <= b; k += 3) v = sinf(v) * x[i] + 0.02f * k;
    for (int k = 1; k <= b; k += 2) v = sinf(v) * x[i] + 0.03f * k;
    for (int k = -1; k < b; k += 3) v = sinf(v) * x[i] + 0.04f * k;
    for (int k = a; k > b; k -= 2) v = sinf(v) * x[i] + 0.05f * k;
    for (int k = a; k >= b; k -= 3) v = sinf(v) * x[i] + 0.06f * k;
    for (int k = a; k >= 1; k -= 2) v = sinf(v) * x[i] + 0.07f * k;
    for (int k = 3; k > b; k -= 3) v = sinf(v) * x[i] + 0.08f * k;
    for (int k = a; k < b; k += d) v = sinf(v) * x[i] + 0.09f * k;
    for (int k = a; k >= b; k -= d) v = sinf(v) * x[i] + 0.01f * k;
    for (unsigned k = 0; k < ub; k++) v = sinf(v) * x[i] + 0.02f * k;
    for (unsigned k = ua; k < ub; k++) v = sinf(v) * x[i] + 0.03f * k;
    for (unsigned k = ua; k <= ub; k++) v = sinf(v) * x[i] + 0.04f * k;
    for (unsigned k = ua; k < ub; k += 2) v = sinf(v) * x[i] + 0.05f * k;
    for (unsigned k = ua; k <= ub; k += 3) v = sinf(v) * x[i] + 0.06f * k;
    for (unsigned k = 1; k < ub; k += 2) v = sinf(v) * x[i] + 0.07f * k;
    for (unsigned k = 2; k <= ub; k += 2) v = sinf(v) * x[i] + 0.08f * k;
    for (size_t k = 4; k < ub; k += 3) v = sinf(v) * x[i] + 0.09f * k;
    for (size_t k = ua; k < ub; k += d) v = sinf(v) * x[i] + 0.01f * k;
    for (unsigned char k = 0; k < b; k++) v = sinf(v) * x[i] + 0.02f * k;
    for (short k = a; k < b; k += 2) v = sinf(v) * x[i] + 0.03f * k;
    for (unsigned k = ub; k > ua; k--) v = sinf(v) * x[i] + 0.04f * k;
    for (unsigned k = ub; k > 3; k -= 2) v = sinf(v) * x[i] + 0.05f * k;
    y[i] = v;
}
//--
// kernel = "reversed_headers"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 81
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}
