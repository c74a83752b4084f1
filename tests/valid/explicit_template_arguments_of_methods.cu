// refused: not-supported
struct S {
    float v;
    template <int N> __device__ float scaled() const { return N * v; }
};
extern "C" __global__ void explicit_template_arguments_of_methods(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    S s{x[i]};
    y[i] = s.scaled<2>() * s.template scaled<3>();
}
