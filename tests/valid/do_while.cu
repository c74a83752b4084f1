extern "C" __global__ void do_while(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = 0;
    do {
        s *= x[k];
        if (k == 1)
            continue;
    } while (++k < 3);
    do
        s += s;
    while (0);
    while (k --> 0)
        s += x[k];
    y[i] = s;
}
