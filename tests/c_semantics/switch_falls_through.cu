// [stmt.switch]: without a break the next case runs; default may stand anywhere.
extern "C" __global__ void switch_falls_through(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    switch (m[i]) {
    case 1:
        s = sinf(s) * x[1];
    default:
        s *= x[2] + s;
    case 3:
    case 5:
        s = s * s + x[3];
        break;
    case 4:
        s *= x[4];
    }
    y[i] = s;
}
