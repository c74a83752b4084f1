extern "C" __global__ void largest(const float *x, int *y, int *m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        m[i] = atomicMax(&y[0], (int)x[i]);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ atomic: of integers `atomicMax`, `atomicOr` and kin are taken where nobody uses their result
    atomicExch(&y[1], 1);
//  ^^^^^^^^^^^^^^^^^^^^ atomic: of integers `atomicMax`, `atomicOr` and kin are taken where nobody uses their result
}
