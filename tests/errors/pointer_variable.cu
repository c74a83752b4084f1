extern "C" __global__ void rows(const float *x, float *y, int n)
{
    const float **lines;
//  ^^^^^^^^^^^^^^^^^^^ pointer-variable: its target can't be determined
    __shared__ float *common;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ pointer-variable: its target can't be determined
    y[threadIdx.x] = x[threadIdx.x];
}
