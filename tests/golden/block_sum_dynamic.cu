// s2sad: --of y --wrt x
extern "C" __global__ void block_sum_dynamic(const float *x, float *y, int n)
{
    extern __shared__ float part[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] * x[i] : 0.0f;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = part[0];
}
