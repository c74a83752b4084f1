// [expr.log.and]: the right operand runs only if the left one is true.
extern "C" __global__ void logical_and_leaves_out_its_right_side(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i];
    if (k > 3 && (k -= 2) > 2)
        s = sinf(s) * x[k];
    s *= x[k];
    if (i > 0 && x[i - 1] > 0.6f)
        s *= x[i - 1] + s;
    float t = s;
    if (m[i + 1] < 4 && (t = t * t) > 0.1f)
        s *= t;
    y[i] = s * t;
}
