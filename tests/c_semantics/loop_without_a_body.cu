// [stmt.expr]: an empty statement; all that happens stands in the head.
extern "C" __global__ void loop_without_a_body(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k;
    for (k = 0; k < 8 && m[k] != 5; ++k)
        ;
    s = sinf(s) * x[k];
    for (int j = 0; j < 3; s = s * x[j] + s, ++j) {
    }
    int j = 5;
    while (--j > m[i])
        ;
    y[i] = s * x[j];
}
