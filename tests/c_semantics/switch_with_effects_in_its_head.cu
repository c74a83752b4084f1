// [stmt.switch]: the selector is evaluated once.
extern "C" __global__ void switch_with_effects_in_its_head(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    int k = m[i] & 3;
    switch (k++) {
    case 1:
        k += 2;
        s = sinf(s) * x[k];
    case 2:
        s *= x[k];
        k = 1;
        break;
    case 3:
        s *= s;
    }
    y[i] = s * x[k];
}
