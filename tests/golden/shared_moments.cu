// s2sad: --of y --wrt x
// What was added up atomically is read behind a barrier, and not linearly; then it is added to again.
extern "C" __global__ void shared_moments(const float *x, float *y, int *count, int n)
{
    __shared__ float m[2];
    __shared__ int inside;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float v = i < n ? x[i] : 0.0f;
    if (t < 2)
        m[t] = 0.0f;
    if (t == 0)
        inside = 0;
    __syncthreads();
    atomicAdd(&m[0], v);
    atomicAdd(&m[1], v * v);
    if (i < n && v > -1.0f && v < 1.0f)
        atomicAdd(&inside, 1);
    __syncthreads();
    float mean = m[0] / blockDim.x, square = m[1] / blockDim.x;
    float r = rsqrtf(square - mean * mean + 1e-3f) * inside;
    __syncthreads();
    atomicAdd_block(&m[t % 2], r * v);
    __syncthreads();
    if (i < n)
        y[i] = (v - mean) * r + m[0] * m[1];
    atomicSub(&count[blockIdx.x % 3], 1);
}
