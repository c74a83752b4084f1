extern "C" __global__ void unicode_and_continuations(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i]; // a comment \
       goes on
    float long_name = s;
    y[i] = s * long_name;
}
