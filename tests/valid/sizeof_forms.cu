extern "C" __global__ void sizeof_forms(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[4] = {x[i]};
    int a = sizeof v / sizeof *v, b = sizeof(float) / sizeof(float), c = sizeof(v[0]) / sizeof(float);
    y[i] = v[0] * v[0] * (a + b + c);
}
