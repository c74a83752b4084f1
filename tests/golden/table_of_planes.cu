// s2sad: --of y --wrt x
// Planes in shared memory whose offsets a table gives; how far they reach, the table says.
extern "C" __global__ void table_of_planes(const float *x, float *y, int n)
{
    extern __shared__ float plane[];
    int offset[3] = {0, 40, 16};
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int k = 0; k < 3; ++k)
        plane[offset[k] + t] = i < n ? x[i + k * n] : 0.0f;
    __syncthreads();
    float v = plane[t] * plane[16 + t] + plane[(t + 1) % blockDim.x];
    if (i < n)
        y[i] = v * plane[40 + t];
}
