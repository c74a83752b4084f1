// s2sad: --of y,total --wrt x
// An exclusive scan after Blelloch: up a tree, and down again.
#define BLOCK 64
extern "C" __global__ void blelloch_scan(const float *__restrict__ x, float *__restrict__ y,
                                         float *__restrict__ total, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? expf(x[i]) : 0.0f;
    for (int d = 1; d < BLOCK; d *= 2) {
        __syncthreads();
        int k = (t + 1) * d * 2 - 1;
        if (k < BLOCK)
            s[k] += s[k - d];
    }
    __syncthreads();
    if (t == 0) {
        total[blockIdx.x] = s[BLOCK - 1];
        s[BLOCK - 1] = 0.0f;
    }
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        __syncthreads();
        int k = (t + 1) * d * 2 - 1;
        if (k < BLOCK) {
            float left = s[k - d];
            s[k - d] = s[k];
            s[k] += left;
        }
    }
    __syncthreads();
    if (i < n)
        y[i] = s[t] * s[t];
}
