// s2sad: --of y,total --wrt x,w
// float in, double inside, float and double out; conversions written and not.
extern "C" __global__ void mixed_precision(const float *x, const double *w, float *y, double *total, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (int k = 0; k < m; ++k)
        sum += x[i * m + k] * w[k];
    float low = sum;
    y[i] = low * low + (float)w[0];
    total[i] = sum * (double)low + sqrt(1.5 + (double)sinf(low));
}
