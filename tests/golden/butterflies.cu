// s2sad: --of y --wrt x
// Stages of butterflies in shared memory: which pair is a thread's own changes from stage to stage,
// in bits that no lemma follows. In double, for which CUDA has no atomicExch.

__global__ void butterflies(double *y, const double *x, int n)
{
    __shared__ double s[64];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    s[t + 32] = x[blockIdx.x * 64 + t + 32];
    for (int h = 1; h < 64; h *= 2) {
        __syncthreads();
        int low = t & (h - 1);
        int i = (t - low) * 2 + low;
        double a = s[i], b = s[i + h];
        s[i] = a + b * b;
        s[i + h] = a - 0.5 * b;
    }
    __syncthreads();
    if (blockIdx.x * 32 + t < n)
        y[blockIdx.x * 32 + t] = s[t] * s[t + 32];
}
