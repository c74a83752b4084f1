// [expr.log.and], [expr.log.or]: the value is a bool; && binds stronger than ||.
extern "C" __global__ void logical_operators_as_values(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int a = m[i] & 1;
    int b = 0;
    int c = 0;
    int value = a && ++b || ++c && m[i] > 2;
    s = sinf(s) * x[value] * x[1 + b] * x[3 + c];
    value = (m[i] && b) + (c || a) + !(a && b);
    s *= x[value];
    y[i] = s;
}
