// help: make them one array, `float rows[2][4];`, and keep the row
// s2sad: --of y --wrt x
extern "C" __global__ void rounds(const float *x, float *y)
{
    int i = threadIdx.x;
    float rows[2][4];
    int cur = 0;
    for (int j = 0; j < 4; ++j)
        rows[0][j] = x[i + j];
    for (int r = 0; r < 3; ++r) {
        for (int j = 0; j < 4; ++j)
            rows[1 - cur][j] = sinf(rows[cur][j]) + rows[cur][(j + 1) % 4];
        cur = 1 - cur;
    }
    y[i] = rows[cur][0] * rows[cur][1];
}
