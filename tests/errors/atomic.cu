extern "C" __global__ void total(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[0], x[i]);
//      ^^^^^^^^^^^^^^^^^^^^^^ atomic: atomics are not differentiated yet
}
