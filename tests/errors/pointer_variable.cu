extern "C" __global__ void rows(const float *x, float *y, int n)
{
    const float **lines;
//  ^^^^^^^^^^^^^^^^^^^ pointer-variable: what it points to can't be followed
    __shared__ float *common;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ pointer-variable: what it points to can't be followed
    y[threadIdx.x] = x[threadIdx.x];
}
