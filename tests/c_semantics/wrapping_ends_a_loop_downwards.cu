// [basic.fundamental]: an unsigned counter that is taken below zero is beyond its bound.
extern "C" __global__ void wrapping_ends_a_loop_downwards(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (unsigned k = m[i]; k < 8; --k)
        s = sinf(s) * x[k] + s;
    for (size_t k = 3; k <= 3; k--)
        s = s * x[k] + 0.5f * s * s;
    y[i] = s;
}
