// refused: not-supported
struct Flags {
    unsigned a : 2;
    unsigned b : 1;
    unsigned : 5;
};
extern "C" __global__ void bit_fields(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Flags f;
    f.a = m[i] & 3;
    f.b = 1;
    y[i] = x[f.a] * x[i] * f.b;
}
