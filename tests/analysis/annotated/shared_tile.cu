// active, tbr, runs in
__global__ void shared_tile(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // runs in: forward
    __shared__ float tile[128];  // active: tile[..]
    tile[threadIdx.x] = x[i];  // tbr: i   runs in: forward
    __syncthreads();  // runs in: forward
    float left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : 0.0f;  // active: left   runs in: forward
    y[i] = left * tile[threadIdx.x];  // tbr: tile[threadIdx.x] (reloaded), left, i   runs in: neither sweep
}
