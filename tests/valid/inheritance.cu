// refused: no-classes
struct A {
    float a;
};
struct D : A {
    float b;
};
extern "C" __global__ void inheritance(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    D d;
    d.a = x[i];
    d.b = 2.0f;
    y[i] = d.a * d.a * d.b;
}
