// [stmt.if]: a declaration in the head lives in both branches, and hides.
extern "C" __global__ void scope_of_an_if(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 7;
    if (int k = m[i] - 3)
        s = sinf(s) * x[k & 7];
    else
        s *= x[k + 1];
    s *= x[k];
    if (float t = s * x[2]; t > 0.3f)
        s = t * t;
    else if (int j = m[i] & 3)
        s = t * x[j] * x[k];
    else
        s += t * x[j + 3];
    y[i] = s;
}
