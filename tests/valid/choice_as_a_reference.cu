// refused: not-supported
extern "C" __global__ void choice_as_a_reference(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = x[i + 1];
    float &r = m[i] > 3 ? a : b;
    r *= 2.0f;
    y[i] = a * b * r;
}
