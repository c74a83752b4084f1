extern "C" __global__ void wait(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ barrier: barriers are not differentiated yet
}
