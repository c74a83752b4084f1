// [expr.shift]: the left operand is sequenced before the right one.
extern "C" __global__ void shift_evaluates_its_left_side_first(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] & 1;
    int a = ++k << k;
    s = sinf(s) * x[a];
    a = k++ << k;
    s *= x[a & 15];
    a = 256 >> (k = 6);
    s *= x[a] * x[k];
    y[i] = s;
}
