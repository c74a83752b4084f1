// s2sad: --of y --wrt x --tape-budget 800
// A loop that may end early can't run in strips: it is restarted from snapshots, as if its bound were unknown.
__global__ void snapshots_for_a_budget(const float *x, float *y, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float re = x[2 * i], im = x[2 * i + 1], power = 1.0f;
    for (int k = 0; k < limit; ++k) {
        float square = re * re + im * im;
        if (square > 4.0f) {
            power *= 0.25f;
            break;
        }
        power *= 0.5f + 0.5f * square;
        float next = re * re - im * im + x[2 * i];
        im = 2.0f * re * im + x[2 * i + 1];
        re = next;
    }
    y[i] = re * im + power;
}
