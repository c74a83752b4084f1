// s2sad: --of y --wrt x
__global__ void short_counters(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float m[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            m[r][c] = r == c ? 3.0f + x[i] : 0.5f * x[i] * r;
    for (short c = 0; c < 3;) {
        for (int r = c + 1, left = 3 - (c + 1); left > 0; ++r, --left) {
            m[r][c] /= m[c][c];
            for (short b = c + 1; b < 3;) {
                m[r][b] -= m[r][c] * m[c][b];
                b += 1;
            }
        }
        ++c;
    }
    y[i] = logf(m[0][0] * m[1][1] * m[2][2]) + 0.2f * m[2][0];
}
