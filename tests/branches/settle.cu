// Relax towards a root, leaving early where it has settled, with corrections for rare settings.
// s2sad: --of y --wrt x,c
extern "C" __global__ void settle(const float *x, const float *c, float *y, int n, int steps, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int j = 0; j < steps; ++j) {
        s += c[i] * x[i] * x[i];
        if (s > 37.5f)
            break;
    }
    if (steps == 17)
        s *= 2.0f * c[i];
    if (limit > 200.0f)
        s += 3.0f * x[i];
    y[i] = x[i] < -4.0f ? s * x[i] : s;
}
