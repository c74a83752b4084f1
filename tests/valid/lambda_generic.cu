extern "C" __global__ void lambda_generic(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto square = [](auto v) { return v * v; };
    y[i] = square(x[i]) * square(2);
}
