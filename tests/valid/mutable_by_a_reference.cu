struct Counted {
    float v;
    mutable float count;
    __device__ float read() const
    {
        count += v;
        return v * v;
    }
};
struct Outer {
    Counted c;
    float w;
};
__device__ float read(const Counted &c) { return c.read(); }
extern "C" __global__ void mutable_by_a_reference(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Counted c{x[i], 1.0f};
    const Outer o{c, x[i]};
    float s = read(c);
    s += read(c);
    o.c.read();
    y[i] = s * c.count * o.c.count;
}
