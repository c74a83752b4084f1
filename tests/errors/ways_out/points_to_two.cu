// meets: points-to-two
// s2sad: --of y --wrt x
extern "C" __global__ void rounds(const float *x, float *y)
{
    int i = threadIdx.x;
    float a[4], b[4];
    for (int j = 0; j < 4; ++j)
        a[j] = x[i + j];
    float *cur = a, *nxt = b;
    for (int r = 0; r < 3; ++r) {
        for (int j = 0; j < 4; ++j)
            nxt[j] = sinf(cur[j]) + cur[(j + 1) % 4];
        float *t = cur;
        cur = nxt;
        nxt = t;
    }
    y[i] = cur[0] * cur[1];
}
