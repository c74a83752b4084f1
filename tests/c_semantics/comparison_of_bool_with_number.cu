// [expr.eq]: a bool is promoted before it is compared, so it is never two.
extern "C" __global__ void comparison_of_bool_with_number(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    bool set = m[i] > 3;
    if (set == 2)
        s = 0.0f;
    if (set != (m[i] & 1))
        s = sinf(s) * x[3];
    if (!m[i] == (m[i] == 0))
        s *= x[4];
    y[i] = s;
}
