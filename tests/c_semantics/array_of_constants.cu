// [dcl.type.cv]: local arrays of constants pick elements and weights.
extern "C" __global__ void array_of_constants(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    const int at[5] = {4, -1, 2, 300, 1};
    const unsigned char narrow[3] = {255, 44, 3};
    const float weight[] = {0.5f, 2, -1.5};
    for (int k = 0; k < 3; ++k) {
        s = sinf(s) * weight[k] + s * x[at[k] & 7];
        s *= x[(unsigned char)(narrow[k] + 1) & 15];
    }
    y[i] = s * x[at[3] & 15] * x[at[m[i] % 5] < 0 ? 5 : 6];
}
