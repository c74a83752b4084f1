// s2sad: --of y --wrt y --tape-budget 1024
extern "C" __global__ void settle(float *y, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 1; k <= steps; ++k)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ tape-budget: values of this loop's iterations are recorded
        y[k * n + i] = y[k * n + i] * y[(k - 1) * n + i];
}
