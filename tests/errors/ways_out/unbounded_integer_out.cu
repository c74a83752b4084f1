// help: leave out --bound
// s2sad: --of y --wrt table
// a pair of numbers that a loop makes anew until one is small, however long that takes
__global__ void settle(const float *table, int *at, float *y, int n)
{
    int i = threadIdx.x;
    float v = 1.0f;
    while (at[2 * i] > 1) {
        at[2 * i + 1] = at[2 * i] % n;
        v *= v * table[at[2 * i + 1]];
        at[2 * i] = at[2 * i] / 2 - at[2 * i + 1];
    }
    y[i] = v;
}
