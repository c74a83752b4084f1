extern "C" __global__ void constructor_of_a_number(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = float();
    a += float(x[i]) * float{2.0f} + int{} + int(2.5f);
    unsigned u = unsigned(3);
    y[i] = a * a * u;
}
