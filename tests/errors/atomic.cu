extern "C" __global__ void largest(const float *x, int *y, int *m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        m[i] = atomicMax(&y[0], (int)x[i]);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ atomic: supported: atomicAdd, and `atomicMax`, `atomicOr` etc. on integers if their result is unused
    atomicExch(&y[1], 1);
//  ^^^^^^^^^^^^^^^^^^^^ atomic: supported: atomicAdd, and `atomicMax`, `atomicOr` etc. on integers if their result is unused
}
