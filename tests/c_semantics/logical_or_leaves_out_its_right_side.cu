// [expr.log.or]: the right operand runs only if the left one is false.
extern "C" __global__ void logical_or_leaves_out_its_right_side(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i];
    float t = s;
    if (k > 3 || (k += 3) > 4 || (t *= x[k]) > 0.5f)
        s = sinf(s) * x[k];
    s *= x[k] + t;
    if (i == 0 || x[i - 1] > 0.7f)
        s *= x[i + 1];
    y[i] = s * t;
}
