struct alignas(16) Aligned {
    float a, b;
};
extern "C" __global__ void alignas_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    alignas(16) float v[4] = {x[i], 1.0f, 2.0f, 3.0f};
    __align__(8) float w = x[i];
    Aligned a = {x[i], x[i + 1]};
    y[i] = v[0] * w * a.a * a.b * alignof(Aligned);
}
