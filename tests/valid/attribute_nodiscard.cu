struct [[nodiscard]] Pair {
    float a, b;
    [[maybe_unused]] int tag;
};
[[nodiscard]] __device__ Pair made(float v) { return {v, v * v, 0}; }
extern "C" __global__ void attribute_nodiscard(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = made(x[i]);
    y[i] = p.a * p.b;
}
