// refused: no-lambdas
struct S {
    float v;
    __device__ float f() const
    {
        auto g = [this](float u) { return u * v; };
        return g(v);
    }
};
extern "C" __global__ void this_capture(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = S{x[i]}.f();
}
