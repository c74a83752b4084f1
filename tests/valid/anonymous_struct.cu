// refused: not-supported
struct V {
    struct {
        float a, b;
    };
};
extern "C" __global__ void anonymous_struct(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    V v;
    v.a = x[i];
    v.b = v.a * 2.0f;
    y[i] = v.a * v.b;
}
