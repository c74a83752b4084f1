// [expr.cond]: effects of the side that isn't chosen don't happen; it groups from the right.
extern "C" __global__ void choice_evaluates_one_side(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 2;
    int j = 3;
    s = sinf(s) * (m[i] > 3 ? x[k++] : x[--j]);
    s *= x[k] * x[j];
    s *= m[i] < 2 ? x[1] : m[i] < 5 ? x[2] * s : i > 0 ? x[i - 1] : x[3];
    float t = m[i] & 1 ? s *= 2.0f, s + 1.0f : (s = s * s) * 0.5f;
    y[i] = s * t;
}
