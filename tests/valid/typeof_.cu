extern "C" __global__ void typeof_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    __typeof__(x[i]) a = x[i];
    typeof(a) b = a * a;
    y[i] = a * b;
}
