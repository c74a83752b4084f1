// [expr.log.and]: an index that is tested before it is used; the effect stays in each test.
extern "C" __global__ void logical_condition_of_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] + 1;
    while (k > 0 && m[--k] < 6)
        s = sinf(s) * x[k] + s;
    s *= x[k];
    int j = 0;
    do {
        s = s * x[j] + 0.3f * s * s;
    } while (j < 4 && m[++j] > 1);
    y[i] = s * x[j];
}
