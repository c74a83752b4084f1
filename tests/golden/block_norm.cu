// s2sad: --of out --wrt x
// The norm of each block by a tree in shared memory.
#define BLOCK 64
extern "C" __global__ void tree_norm(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float sum[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float v = i < n ? x[i] : 0.0f;
    sum[t] = v * v;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            sum[t] += sum[t + d];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sqrtf(sum[0]);
}
