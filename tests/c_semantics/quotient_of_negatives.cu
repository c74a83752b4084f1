// [expr.mul]: a quotient is truncated towards zero, and a remainder has the dividend's sign.
extern "C" __global__ void quotient_of_negatives(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = -7 - m[i];
    s = sinf(s) * x[-(a / 2)];
    s *= x[-(a % 3)];
    s *= x[(a % 3 + 3) % 3];
    s *= x[7 / -2 + 4] * x[7 % -4] * x[-(-7 / 2)];
    y[i] = s;
}
