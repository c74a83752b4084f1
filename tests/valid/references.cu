__device__ void swapped(float &a, float &b)
{
    float c = a;
    a = b;
    b = c;
}
extern "C" __global__ void references(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i];
    float &r = a;
    const float &c = x[i + 1];
    float &&t = x[i] * c;
    r *= c;
    t += r;
    swapped(a, t);
    y[i] = a * t;
}
