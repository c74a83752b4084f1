extern "C" __global__ void for_ever(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 0;
    for (;;) {
        if (k++ == 3)
            break;
        s *= x[k];
    }
    y[i] = s;
}
