// [basic.scope]: the counter of a for hides a variable of that name, which is back afterwards.
extern "C" __global__ void scope_of_a_counter(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i];
    for (int k = 0; k < 3; ++k)
        s = sinf(s) * x[k] + s;
    s *= x[k];
    for (int k = 3; k > 0; --k) {
        for (int k = 0; k < 2; ++k)
            s = s * x[k + 1] + 0.2f * s * s;
        s *= x[k];
    }
    for (k = 1; k < 4; ++k)
        s += x[k] * s;
    y[i] = s * x[k];
}
