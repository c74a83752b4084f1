extern "C" __global__ void tile(const float *x, float *y)
{
    __shared__ float s[64];
//  ^^^^^^^^^^^^^^^^^^^^^^ shared-memory: `__shared__` is not differentiated yet
    s[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s[threadIdx.x];
}
