// refused: no-classes
struct Wrapped {
    float v;
    __device__ operator float() const { return v * v; }
};
extern "C" __global__ void conversion_operators(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Wrapped w{x[i]};
    float s = w;
    y[i] = s * static_cast<float>(w) * (w ? 2.0f : 1.0f);
}
