// s2sad: --of y --wrt y
// Loops that double, divide or clear bits: no more trips than an int has bits, or a heap has levels.
#define SIZE 16

extern "C" __global__ void trips_by_bits(const float *__restrict__ key, const unsigned *__restrict__ e,
                                         float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *v = y + 3 * i;
    int p = 0;
    while (2 * p + 1 < SIZE) {
        int c = 2 * p + 1;
        if (c + 1 < SIZE && key[c + 1] > key[c])
            ++c;
        v[0] = v[0] * sinf(v[1]) + key[c];
        p = c;
    }
    int q = 0;
    for (;;) {
        int best = q, left = 2 * q + 1;
        if (left < m && key[i + left] > key[i + best])
            best = left;
        if (left + 1 < m && key[i + left + 1] > key[i + best])
            best = left + 1;
        if (best == q)
            break;
        v[1] = v[1] * cosf(v[0]) + key[best];
        q = best;
    }
    unsigned d = e[i];
    do {
        v[2] = v[2] * sinf(v[1]) + 0.1f * (d % 10);
        d /= 10;
    } while (d);
    for (unsigned bits = e[i]; bits; bits &= bits - 1)
        v[0] = v[0] * cosf(v[2]);
    int c = m - 1;
    while (c > 0) {
        c = (c - 1) / 2;
        v[1] = v[1] * v[0] + key[c];
    }
}
