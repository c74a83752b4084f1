// s2sad: --of z --wrt x,y
// Complex numbers as structs: a function returns one.
typedef struct {
    float re;
    float im;
} Complex;

__device__ Complex mul(Complex a, Complex b)
{
    Complex c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}

__device__ float abs2(Complex a)
{
    return a.re * a.re + a.im * a.im;
}

__device__ Complex clamped(Complex a, float most)
{
    float size = abs2(a);
    if (size <= most)
        return a;
    float s = sqrtf(most / size);
    Complex c = {s * a.re, s * a.im};
    return c;
}

__global__ void iterate(const Complex *x, const Complex *y, Complex *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Complex v = x[i];
    for (int k = 0; k < 3; ++k) {
        v = mul(v, v);
        v.re += y[i].re;
        v.im += y[i].im;
        v = clamped(v, 2.0f);
    }
    z[i] = v;
}
