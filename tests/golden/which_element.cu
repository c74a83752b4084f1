// s2sad: --of y --wrt x,c
// Elements that are now the same and now another: what is read may be what is stored, and
// where to store is forgotten before the reverse sweep comes. Dividing keeps no result.
extern "C" __global__ void which_element(const double *x, const double *c, const int *pick, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double w[3] = {0.5, 0.25, 1.0};
    int to = i % 3, from = pick[i];
    w[to] = c[0] * x[i];
    to = (to + 1) % 3;
    w[to] = sin(w[from]) * x[i];
    to = 2 - to;
    double v = x[i];
    v /= c[1];
    v /= 2.0 + i % 3;
    for (int k = 0; k < 4; ++k) {
        int near = (pick[i] + k) % 3;
        v += 0.1 * w[near] * w[near];
        w[to] = 0.5 * w[from] + 0.3 * v;
        to = (to * 2 + k) % 3;
        from = near;
    }
    y[i] = v * w[0] + w[1] * w[2];
}
