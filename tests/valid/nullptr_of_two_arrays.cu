// refused: points-to-two
extern "C" __global__ void nullptr_of_two_arrays(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float w[4] = {x[i], 2.0f, x[i + 1], 1.0f};
    const float *p = nullptr;
    if (m[i] > 5)
        p = w;
    else if (m[i] > 2)
        p = x;
    float s = x[i];
    if (p)
        s *= p[2];
    y[i] = s * s;
}
