// refused: no-classes
struct Wrapped {
    float v;
    __device__ explicit operator bool() const { return v > 0.0f; }
};
extern "C" __global__ void conversion_operator_unused(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Wrapped w{x[i]};
    y[i] = w.v * w.v;
}
