// [conv.fpint]: the fraction is dropped, below zero too.
extern "C" __global__ void truncation_towards_zero(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v = 1.0f + 3.0f * x[i + 1];
    int down = v;
    int up = -v;
    s = sinf(s) * x[down] * x[-up];
    s *= x[(int)(-0.9f * x[i] * 0.5f)];
    v = v * v;
    down = v;
    s *= x[down & 15] + v;
    y[i] = s;
}
