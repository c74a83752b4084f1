// refused: not-supported
struct Acc {
    float s;
    __device__ Acc *add(float v)
    {
        s += v * v;
        return this;
    }
};
extern "C" __global__ void chain_by_pointer(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Acc a{x[i]};
    a.add(x[i])->add(x[i + 1]);
    y[i] = a.s * a.s;
}
