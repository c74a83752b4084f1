extern "C" __global__ void literals_of_all_bases(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = 0x1F, b = 0b101, c = 017, d = 1'000;
    long long e = 1'000'000LL;
    unsigned long long f = 0xFFULL;
    float g = 1'0.5e-1f, h = 0x1.8p0f, u = .5f, v = 5.f, w = 1e1f;
    y[i] = x[i] * x[i] * (a + b + c + d + e + f) * 1e-6f * g * h * u * v * w;
}
