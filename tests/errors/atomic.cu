extern "C" __global__ void largest(const float *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(&y[0], (int)x[i]);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ atomic: of the atomics only `atomicAdd` and `atomicSub` are differentiated
}
