// s2sad: --of y --wrt y
// Loops that a counter ends in their middle or at their end, whatever else may end them before.
extern "C" __global__ void trips_left_inside(const float *__restrict__ x, float *__restrict__ y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *v = y + 3 * i;
    int j = 0;
    while (true) {
        v[0] = v[0] * sinf(v[1]) + 0.5f;
        if (x[i + j] > 0.9f)
            break;
        if (++j >= 4)
            break;
        v[1] = v[1] * cosf(v[0]);
    }
    int k = 0;
    do {
        v[2] = v[2] * sinf(v[0]) + 0.25f;
        if (x[i + k] < 0.1f)
            continue;
        v[0] = v[0] * v[2];
    } while (++k < m);
    for (int a = 1; a < m; ++a) {
        if (x[a] > 0.7f) {
            ++a;
            continue;
        }
        v[1] = v[1] * cosf(v[2]) + x[a];
    }
}
