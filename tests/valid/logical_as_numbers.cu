extern "C" __global__ void logical_as_numbers(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = (m[i] > 2) + (m[i] > 4) - !m[i];
    bool b = m[i];
    b |= c > 1;
    b = !b;
    float s = b;
    y[i] = x[i] * x[i] * c + s * true * x[i];
}
