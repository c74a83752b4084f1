// s2sad: --of inv --wrt mat
// Small matrices inverted by cofactors, with local two-dimensional arrays.
extern "C" __global__ void inverse3x3(const float *mat, float *inv, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float m[3][3];
    float co[3][3] = {};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            m[r][c] = mat[9 * i + 3 * r + c];
    for (int r = 0; r < 3; ++r) {
        int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            co[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    }
    float det = m[0][0] * co[0][0] + m[0][1] * co[0][1] + m[0][2] * co[0][2];
    float over = 1.0f / det;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            inv[9 * i + 3 * r + c] = co[c][r] * over;
}
