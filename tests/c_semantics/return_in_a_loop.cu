// [stmt.return]: a return ends all loops around it.
static __device__ float found(const float *v, float s, int limit)
{
    for (int k = 0; k < 4; ++k)
        for (int j = k; j < 4; ++j) {
            s = sinf(s) * v[j] + s;
            if (j * k > limit)
                return s * v[k];
        }
    return s * s;
}
extern "C" __global__ void return_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    s = found(x, s, m[i]);
    for (int k = 0; k < 5; ++k) {
        s = s * x[k] + 0.3f * s * s;
        if (m[k] == 6) {
            y[i] = s;
            return;
        }
    }
    y[i] = s * s;
}
