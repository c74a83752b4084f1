// [stmt.iter], [conv.bool]: an int, a float or a pointer's element is true unless it is zero.
extern "C" __global__ void loop_with_a_number_for_a_condition(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = m[i]; k; --k)
        s = sinf(s) * x[k] + s;
    float left = 1.5f;
    while (left) {
        s = s * x[2] + 0.2f * s * s;
        left -= 0.5f;
    }
    const int *p = m + 2;
    int count = 0;
    while (*p && count < 6) {
        s *= x[*p];
        ++p;
        ++count;
    }
    y[i] = s;
}
