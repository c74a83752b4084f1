// s2sad: --of y --wrt y
// Nothing bounds these loops: K_measure says how long their tapes have to be.
extern "C" __global__ void measured_trips(const int *__restrict__ p, float *__restrict__ y,
                                          const float *__restrict__ x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *v = y + 3 * i;
    int k = p[i];
    while (k != 1) {
        v[0] = v[0] * sinf(v[1]) + 0.3f;
        k = k % 2 ? 3 * k + 1 : k / 2;
    }
    while (v[2] < 4.0f) {
        v[1] = v[1] * cosf(v[0]) + 0.1f * x[i];
        v[2] = 1.6f * v[2] + 0.1f * v[1];
    }
}
