// s2sad: --of y --wrt x
// A function that has its own name for the launch's shared memory, and one that uses the file's.
extern __shared__ float row[];
__shared__ float weight[64];

__device__ void load(const float *x, int i, int n)
{
    extern __shared__ float loaded[];
    loaded[threadIdx.x] = i < n ? x[i] : 0.0f;
    weight[threadIdx.x] = 0.5f * loaded[threadIdx.x];
}

__device__ float left(float otherwise) { return threadIdx.x > 0 ? row[threadIdx.x - 1] : otherwise; }

extern "C" __global__ void launched_in_functions(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    load(x, i, n);
    __syncthreads();
    if (i < n)
        y[i] = weight[threadIdx.x] * left(1.0f) + row[blockDim.x - 1 - threadIdx.x];
}
