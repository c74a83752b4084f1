extern "C" __global__ void nullptr_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *p = nullptr;
    if (m[i] > 100)
        p = x;
    float s = x[i];
    if (p != nullptr)
        s += 1.0f;
    y[i] = s * s;
}
