// [stmt.iter]: a do runs at least once, a for or a while perhaps never.
extern "C" __global__ void loop_that_runs_once_or_never(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    do
        s = sinf(s) * x[1] + s;
    while (false);
    while (m[i] < 0)
        s *= 0.0f;
    for (int k = 3; k < 3; ++k)
        s *= 0.0f;
    do {
        s *= x[2];
    } while (0 && (s = 0.0f));
    for (;;) {
        s *= s;
        break;
    }
    y[i] = s;
}
