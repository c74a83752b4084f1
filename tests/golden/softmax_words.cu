// Softmax of rows as inference kernels write it: the block's maximum and sum by two functions, each shared in a word.
// s2sad: --of y --wrt x
__inline__ __device__ float warp_max(float v)
{
    for (int mask = 16; mask > 0; mask >>= 1)
        v = max(v, __shfl_xor_sync(0xffffffff, v, mask, 32));
    return v;
}

__inline__ __device__ float warp_sum(float v)
{
    for (int mask = 16; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, mask, 32);
    return v;
}

__inline__ __device__ float block_max(float v)
{
    static __shared__ float of_warps[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    v = warp_max(v);
    if (lane == 0)
        of_warps[warp] = v;
    __syncthreads();
    return warp_max(lane < blockDim.x / 32 ? of_warps[lane] : -1e20f);
}

__inline__ __device__ float block_sum(float v)
{
    static __shared__ float of_warps[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    v = warp_sum(v);
    if (lane == 0)
        of_warps[warp] = v;
    __syncthreads();
    return warp_sum(lane < blockDim.x / 32 ? of_warps[lane] : 0.0f);
}

__global__ void softmax_words(const float *x, float *y, int n)
{
    __shared__ float top, total;
    const float *row = x + blockIdx.x * n;
    float m = -1e20f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        m = max(m, row[i]);
    m = block_max(m);
    if (threadIdx.x == 0)
        top = m;
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += __expf(row[i] - top);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        total = sum;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        y[blockIdx.x * n + i] = __expf(row[i] - top) / total;
}
