// Complex numbers with literal parts: what they multiply by zero isn't computed again, unless a condition
// depends on it (`near`). A reciprocal in powers of one number, and an element of a table of coefficients.
// s2sad: --of y --wrt z
struct Complex {
    float r, i;
};

__device__ Complex plus(Complex a, Complex b)
{
    return {a.r + b.r, a.i + b.i};
}

__device__ Complex times(Complex a, Complex b)
{
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}

__device__ Complex inverse(Complex a)
{
    const float norm2 = a.r * a.r + a.i * a.i;
    return {a.r / norm2, -a.i / norm2};
}

extern "C" __global__ void series(const Complex *__restrict__ z, Complex *__restrict__ y, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const float coefficient[4] = {0.3f, -1.2f, 0.7f, 0.25f};
    const Complex one = {1.0f, 0.0f};
    const Complex turn = times({0.0f, 2.0f}, z[t]);
    const Complex near = times(one, z[t]);
    Complex s = {0.0f, 0.0f};
    for (int k = 0; k < 4; ++k) {
        const Complex below = plus({1.5f + k, 0.0f}, times(turn, turn));
        s = plus(s, times({coefficient[k], 0.0f}, times(turn, inverse(below))));
    }
    if (near.r > 0.2f)
        s = times(s, s);
    y[t] = plus(s, one);
}
