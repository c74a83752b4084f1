// s2sad: --of y --wrt x
// Upwinding: which neighbour a pointer means is decided in a branch, and again in a loop.
extern "C" __global__ void alias_in_branch(const float *x, const int *order, float *y, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *p = x + i;
    const float *q;
    if (order[i] > 1)
        q = x + (n - 1 - i);
    else
        q = p;
    float s = 0.0f;
    for (int k = 0; k < steps; ++k) {
        s += *p * *q;
        if (order[(i + k) % n] == 0 && p > x)
            --p;
        else if (p - x + 1 < n)
            p++;
        else
            p = x;
    }
    y[i] = s;
}
