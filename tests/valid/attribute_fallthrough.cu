extern "C" __global__ void attribute_fallthrough(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    switch (m[i]) {
    case 0:
        s *= 2.0f;
        [[fallthrough]];
    case 1:
        s = s * s;
        break;
    default:
        s += 1.0f;
    }
    y[i] = s;
}
