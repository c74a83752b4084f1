// [expr.ass]: the right side runs first, and its effects are done when the left one's index is read.
extern "C" __global__ void compound_assignment_evaluates_its_right_side_first(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v[8];
    for (int j = 0; j < 8; ++j)
        v[j] = s + x[j];
    int k = 1;
    float right = v[k + 1];
    v[k++] *= right;
    v[k] += v[k++] * s;
    v[++k] -= x[2];
    s = sinf(s);
    for (int j = 0; j < 8; ++j)
        s = s * 0.5f + v[j] * v[j];
    y[i] = s * x[k];
}
