extern "C" __global__ void nullptr_moved(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *p = nullptr, *q = 0;
    float s = x[i];
    if (m[i] > 3)
        p = x + 1;
    for (int k = 0; k < 4; ++k) {
        if (p)
            s += p[k] * s;
        if (m[k] > 5)
            q = x + k;
        if (m[k] == 2)
            p = nullptr;
    }
    y[i] = q != NULL ? s * q[0] : s * s;
}
