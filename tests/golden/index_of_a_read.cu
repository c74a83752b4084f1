// s2sad: --of y --wrt x
// The forward sweep runs nothing of the sum, yet it records what the sum reads: it needs the index there.
extern "C" __global__ void index_of_a_read(const double *x, const int *pick, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double w[3] = {0.5, 0.25, 1.0};
    double s = x[i];
    for (int k = 0; k < 4; ++k) {
        int near = (pick[i] + k) % 3;
        s += w[near] * w[near];
        w[k % 3] = 0.3 * x[i] * (k + 1);
    }
    y[i] = s;
}
