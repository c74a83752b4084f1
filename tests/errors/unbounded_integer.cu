// command: --of y --wrt table --bound 6=n
extern "C" __global__ void settle(const float *table, int *at, float *y, int n)
{
    int i = threadIdx.x;
    float v = 1.0f;
    while (at[2 * i] > 1) {
//  ^^^^^^^^^^^^^^^^^^^^^ unbounded-integer: the trip count is known only at run time
        at[2 * i + 1] = at[2 * i] % n;
        v *= v * table[at[2 * i + 1]];
        at[2 * i] = at[2 * i] / 2 - at[2 * i + 1];
    }
    y[i] = v;
}
