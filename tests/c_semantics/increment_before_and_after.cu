// [expr.pre.incr], [expr.post.incr]: the value after, and the value before.
extern "C" __global__ void increment_before_and_after(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i];
    s = sinf(s) * x[k++];
    s *= x[k] * x[k + 1];
    s *= x[++k];
    int j = k-- + 2;
    s *= x[j] * x[--k];
    float f = s++;
    s *= f--;
    s += ++f * 0.5f;
    y[i] = s;
}
