// A complex function whose constants are variables: a partial that is 0 adds nothing, whatever its name.
// `on` is 0 only before the first trip, and NONE has a name that another build may define anew.
// s2sad: --of y --wrt z
#define NONE 0.0f
struct Complex {
    float r, i;
};

__device__ Complex multiply(Complex a, Complex b)
{
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}

extern "C" __global__ void turned(const Complex *z, Complex *y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const Complex i = {0.0f, 1.0f};
    const Complex half = {0.5f, NONE};
    const float none = NONE;
    Complex s = multiply(half, multiply(i, z[t]));
    float on = 0.0f;
    for (int k = 0; k < 3; ++k) {
        s.r += on * s.i;
        s.i += none * s.r;
        on = 1.0f;
    }
    y[t] = s;
}
