// [expr.post.incr]: the condition tests the value before; the counter is one less in the body.
extern "C" __global__ void counting_down_by_a_postfix_decrement(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (unsigned k = m[i]; k-- > 0;)
        s = sinf(s) * x[k] + s;
    unsigned left = 3;
    while (left-- > 0)
        s = s * x[left] + s * s;
    s *= x[left + 2];
    int more = 4;
    while (--more)
        s *= x[more];
    y[i] = s;
}
