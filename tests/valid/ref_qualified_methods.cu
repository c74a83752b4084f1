struct S {
    float v;
    __device__ float f() const & { return v * v; }
    __device__ auto g() const -> float { return v; }
    S &operator=(const S &) = default;
    ~S() = default;
};
extern "C" __global__ void ref_qualified_methods(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    S s{x[i]};
    y[i] = s.f();
}
