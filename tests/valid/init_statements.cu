extern "C" __global__ void init_statements(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    if (float t = s * s; t > 0.5f)
        s = t;
    else if (int k = m[i]; k > 2)
        s *= t * k;
    switch (int k = m[i] & 1; k) {
    case 0:
        s *= s;
        break;
    case 1:
        s += k;
    }
    if (float u = s)
        s *= u;
    y[i] = s;
}
