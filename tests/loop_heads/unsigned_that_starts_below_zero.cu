// An unsigned counter that starts at -1 and is 0 in the first iteration: 2 + 1 trips of the inner loop.
#define K 6
extern "C" __global__ void unsigned_that_starts_below_zero(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    int left = 3;
    unsigned turn = 0 - 1;
    while (++turn != 2) {
        for (int j = turn + 1, j_left = left - (turn + 1); j_left > 0; ++j, --j_left)
            s = s * 0.9f + 0.1f * s * s * x[i * K + j];
    }
    y[i] = s;
}
