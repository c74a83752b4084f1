extern "C" __global__ void precedence(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = m[i] << 1 + 1 & 15 | 1 ^ 2, b = !m[i] == 0 && ~m[i] < 0 || m[i] % 3 > 1;
    float s = -x[i] * -1.0f - -x[i + 1];
    y[i] = +s * s / 2.0f * (a & 7) + b;
}
