// [stmt.for], [stmt.cont]: continue goes to the step.
extern "C" __global__ void continue_in_a_for(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = m[i] & 1; k < 7; k += 2) {
        if (m[k] > 4)
            continue;
        s = sinf(s) * x[k] + s;
        if (s < 0.5f)
            continue;
        s *= x[k + 1];
    }
    int k = 0;
    while (k < 5) {
        if (m[k++] < 3)
            continue;
        s = s * x[k] + 0.2f * s * s;
    }
    y[i] = s;
}
