// s2sad: --of y --wrt x
// A method that changes its object, and a function that changes its argument, each among other operands.
struct Rng {
    unsigned s;
    __device__ float next()
    {
        s = s * 1664525u + 1013904223u;
        return (s >> 8) * (1.0f / 16777216.0f);
    }
};

__device__ float damped(float &v)
{
    v *= 0.5f;
    return v * v;
}

extern "C" __global__ void drawn_in_an_expression(const float *x, float *y, unsigned seed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Rng r{seed + i};
    float v = x[i];
    float sum = r.next() * x[i];
    for (int k = 0; k < 4 && r.next() < 0.9f; ++k)
        sum += x[i] * damped(v) + sinf(r.next() * sum);
    y[i] = sum > 0.0f ? sum * r.next() : v;
}
