// s2sad: --of force --wrt p,q
// Pairs of points by tiles, each bounded by what its thread alone knows: the two sums of a pair part.
#define WIDTH 8

__global__ void bounded_pairs(int n, const float *p, const float *q, float *force)
{
    __shared__ float tile[WIDTH];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? p[i] : 0.0f;
    float reach = i < n ? q[i] : 0.0f;
    float sum = 0.0f, far = 1.0f;
    for (int t = 0; t < gridDim.x; ++t) {
        int j = t * WIDTH + threadIdx.x;
        tile[threadIdx.x] = j < n ? p[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < WIDTH; ++k) {
            sum += tile[k] * fmaxf(mine, 0.1f) * sqrtf(reach + 2.0f);
            far *= 0.9f;
        }
        __syncthreads();
    }
    if (i < n)
        force[i] = sum + far * reach;
}
