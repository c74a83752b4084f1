// refused: not-supported
struct Config {
    float a = 1.5f;
    int k{3};
    float v[2] = {1.0f, 2.0f};
};
extern "C" __global__ void default_member_init(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Config c;
    Config d{2.0f};
    d.k += 1;
    y[i] = x[i] * x[i] * c.a * c.k * c.v[1] * d.a * d.k;
}
