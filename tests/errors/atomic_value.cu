// s2sad: --of y --wrt x
extern "C" __global__ void running(const float *x, float *sum, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = atomicAdd(&sum[0], x[i]);
//             ^^^^^^^^^^^^^^^^^^^^^^^^ atomic-value: a partial sum, which may differ between two runs
}
