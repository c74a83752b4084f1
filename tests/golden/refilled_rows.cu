// s2sad: --of y --wrt x
// Each step fills a row of weights anew before it reads it: nothing of the row is kept.
__global__ void refilled_rows(const float *x, const float *c, float *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float w[4];
    float s = x[i];
    for (int step = 0; step < m; ++step) {
        for (int j = 0; j < 4; ++j)
            w[j] = s * c[4 * step + j];
        s = w[0] * w[1] + sinf(w[2] * w[3]);
    }
    float next[4], row[4];
    for (int j = 0; j < 4; ++j)
        row[j] = sinf(s) * c[j];
    float change = 1.0f;
    while (change > 1e-2f) {
        for (int j = 0; j < 4; ++j)
            next[j] = 0.5f * row[j] * row[(j + 1) & 3];
        change = 0.0f;
        for (int j = 0; j < 4; ++j) {
            change += fabsf(row[j] - next[j]);
            row[j] = 0.5f * (row[j] + next[j]);
        }
    }
    y[i] = row[0] + row[1] * row[2];
}
