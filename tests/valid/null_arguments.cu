__device__ float out2(float v, float *b = nullptr, int k = 1)
{
    if (b)
        *b = v * v * k;
    return 2.0f * v;
}
__device__ void both(float v, float *a, float *b = 0)
{
    if (a)
        *a = v * v;
    if (b != nullptr)
        *b = v * v * v;
}
extern "C" __global__ void null_arguments(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f, t = 2.0f;
    both(x[i], &s, nullptr);
    both(x[i], NULL, &t);
    both(x[i], 0, 0);
    float u = out2(x[i]);
    u += out2(s, &t, 2);
    u *= out2(t, 0, 3) + out2(t, nullptr);
    y[i] = s * t * u;
}
