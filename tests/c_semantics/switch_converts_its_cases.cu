// [stmt.switch]: a case of minus one is the largest value of an unsigned selector.
extern "C" __global__ void switch_converts_its_cases(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned u = m[i] - 2;
    switch (u) {
    case (unsigned)-1:
        s = sinf(s) * x[1];
        break;
    case 0:
    case 1:
        s *= x[2] * s;
        break;
    case 0xfffffffe:
        s *= x[3] + s;
        break;
    default:
        s *= 0.5f;
    }
    y[i] = s;
}
