// [expr.ass]: the value is the variable after the assignment, so a char's is what it holds.
extern "C" __global__ void compound_assignment_has_a_value(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned char c;
    int k = c = 300 + m[i];
    s = sinf(s) * x[k & 15];
    k = (c += 250) + 1;
    s *= x[k & 15];
    float f;
    int whole;
    f = whole = 2.9f * x[i + 1];
    s *= f + s;
    (k = 3) += m[i];
    s *= x[k];
    s *= x[(c = 258)];
    y[i] = s;
}
