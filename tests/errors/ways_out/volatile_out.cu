// help: leave out `volatile`, and put `__syncwarp()` between a store and another lane's read
// s2sad: --of y --wrt x
// a sum whose last steps one warp takes
extern "C" __global__ void total(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t] * x[blockIdx.x * 64 + t];
    __syncthreads();
    if (t < 32) {
        float *v = s;
        v[t] += v[t + 32];
        __syncwarp();
        float other = v[t + 16];
        __syncwarp();
        v[t] += other;
    }
    __syncthreads();
    if (t < 16)
        y[blockIdx.x * 16 + t] = s[t];
}
