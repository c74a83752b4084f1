// help: let the loop's condition bound it
// s2sad: --of y --wrt table
// no more than 8 times
__global__ void settle(const float *table, int *at, float *y, int n)
{
    int i = threadIdx.x;
    float v = 1.0f;
    int trip = 0;
    while (trip < 8 && at[2 * i] > 1) {
        at[2 * i + 1] = at[2 * i] % n;
        v *= v * table[at[2 * i + 1]];
        at[2 * i] = at[2 * i] / 2 - at[2 * i + 1];
        ++trip;
    }
    y[i] = v;
}
