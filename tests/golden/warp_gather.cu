// s2sad: --of y --wrt x
// Data say which lane to read from: several lanes may read from one, and none from another.
extern "C" __global__ void warp_gather(const float *x, const int *from, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    int source = i < n ? from[i] : 0;
    float there = __shfl_sync(0xffffffffu, v, source);
    float near = __shfl_sync(0xffffffffu, v * v, source, 8);
    if (i < n)
        y[i] = v * there + near;
}
