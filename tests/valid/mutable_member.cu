struct Counted {
    float v;
    mutable float count;
    __device__ Counted(float a) : v(a), count(a) {}
    __device__ float read() const
    {
        count += v;
        return v * v;
    }
};
extern "C" __global__ void mutable_member(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Counted c(x[i]);
    float s = c.read();
    s += c.read();
    y[i] = s * c.count;
}
