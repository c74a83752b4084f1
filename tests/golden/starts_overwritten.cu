// s2sad: --of y --wrt x
// Walks that start from variables: one that stays, one that is set again, and one that the walk itself changes.
// The last one ends where the thread is, which the host doesn't know.
__global__ void starts_overwritten(const float *x, float *y, int n, int step, int count)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count)
        return;
    float s = x[t];
    int kept = t / 2, moved = t % 3, own = t % 2;
    for (int i = kept; i < n; i += step)
        s *= sinf(x[i]);
    for (int j = moved; j < n; j += step)
        s *= 0.5f + x[j];
    moved = t % 5 + 1;
    for (int k = own; k < n; k += step) {
        s *= cosf(x[k]);
        own = k;
    }
    for (int m = 0; m < t; m += step)
        s *= 0.9f + 0.1f * x[m];
    y[t] = s * x[moved] * x[own];
}
