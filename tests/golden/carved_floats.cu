// s2sad: --of y --wrt x
// The shared memory that a launch gives, declared beside the kernel as numbers and divided into two arrays.
extern __shared__ float memory[];

extern "C" __global__ void carved_floats(const float *x, float *y, int n)
{
    int *next = (int *)memory;
    float *value = (float *)&next[blockDim.x];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    next[t] = (7 * t + 3) % blockDim.x;
    value[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i < n)
        y[i] = value[t] * sinf(value[next[t]]);
}
