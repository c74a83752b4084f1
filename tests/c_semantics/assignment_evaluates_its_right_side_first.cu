// [expr.ass]: the right operand is sequenced before the left one, so the index is the new one.
extern "C" __global__ void assignment_evaluates_its_right_side_first(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float v[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    int w[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int k = 1;
    w[k] = ++k;
    w[k++] = k;
    s = sinf(s) * x[w[1]] * x[w[2] + 3];
    v[k] = s * x[k++];
    v[k] = (k = 5, s * s);
    s *= v[3] * v[4] * v[5];
    k = k++ + 1;
    s *= x[k];
    y[i] = s;
}
