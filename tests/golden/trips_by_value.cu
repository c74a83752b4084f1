// s2sad: --of y --wrt y
// Loops over lengths that are read: a mask, a remainder, the lesser of two and branches bound them.
extern "C" __global__ void trips_by_value(const int *__restrict__ len, float *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *v = y + 4 * i;
    int masked = len[i] & 3;
    for (int k = 0; k < masked; ++k)
        v[0] = v[0] * sinf(v[1]) + 0.5f;
    int rest = len[i] % 5;
    for (int k = 0; k < rest; ++k)
        v[1] = v[1] * cosf(v[0]) + 0.25f;
    int least = min(len[i], 6);
    for (int k = least; k > 0; --k)
        v[2] = v[2] * sinf(v[1]) + 0.125f;
    int clamped = len[i];
    if (clamped > 4)
        clamped = 4;
    for (int k = 0; k < clamped; ++k)
        v[3] = v[3] * sinf(v[2]) + v[0];
    if (len[i] <= 3)
        for (int k = 0; k < len[i]; ++k)
            v[0] = v[0] * v[3];
}
