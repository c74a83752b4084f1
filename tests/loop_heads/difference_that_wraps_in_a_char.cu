// What a char takes of a difference below its least value is large.
extern "C" __global__ void difference_that_wraps_in_a_char(const float *x, const int *idx, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    for (int a = 0; a < 4; ++a) {
        signed char b = a - 131;
        for (int j = 120; j < b; ++j)
            v = v * v * x[i * 6 + (j & 3)];
    }
    signed char c = (idx[i] & 3) - 131;
    for (int j = 120; j < c; ++j)
        v = v * v * x[i * 6 + (j & 3)];
    signed char d = m - 138;
    for (int j = 120; j < d; ++j)
        v = v * v * x[i * 6 + (j & 3)];
    y[i] = v;
}
