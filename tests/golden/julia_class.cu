// s2sad: --of smooth --wrt start,c
// A class of complex numbers with a default constructor, members that change it, and helpers beside it.
struct Complex {
    float re, im;
    __device__ Complex() : re(0.0f), im(0.0f) {}
    __device__ Complex(float r, float i = 0.0f) : re(r), im(i) {}
    __device__ float norm2() const { return re * re + im * im; }
    __device__ Complex &operator+=(const Complex &o)
    {
        re += o.re;
        im += o.im;
        return *this;
    }
    __device__ Complex operator-() const { return Complex(-re, -im); }
    __device__ void scale(float s)
    {
        re *= s;
        im *= s;
    }
};
__device__ inline Complex operator*(const Complex &a, const Complex &b)
{
    return Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
__device__ inline bool operator<(const Complex &a, float b) { return a.norm2() < b; }

__global__ void julia(const Complex *start, Complex c, float *smooth, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Complex z = start[i];
    Complex sum;
    for (int k = 0; k < 4; ++k) {
        z = z * z;
        z += -c;
        if (!(z < 4.0f))
            z.scale(0.5f);
        sum += z;
    }
    smooth[i] = logf(1.0f + sum.norm2()) + Complex(z.re).norm2();
}
