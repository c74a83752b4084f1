extern "C" __global__ void nullptr_of_two(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *p = nullptr;
    float s = x[i];
    if (m[i] > 5)
        p = x + 1;
    else if (m[i] > 2)
        p = x + 2;
    if (!p)
        s *= 3.0f;
    else
        s *= *p;
    y[i] = s;
}
