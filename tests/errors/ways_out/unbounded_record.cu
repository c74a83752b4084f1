// meets: unbounded-record
// where: EXPR=limit
// s2sad: --of y --wrt y
// two values that settle, in memory
extern "C" __global__ void settle(float *y, int limit)
{
    int i = threadIdx.x;
    while (y[2 * i] > 1.0f) {
        y[2 * i + 1] = y[2 * i] * sinf(y[2 * i + 1]);
        y[2 * i] = 0.9f * y[2 * i] - 0.1f * sinf(y[2 * i + 1]);
    }
}
