extern "C" __global__ void mean(const float *x, float *y)
{
    __shared__ float s[64], m;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    m = s[0] + s[threadIdx.x];
//  ^ shared-writer: two threads may write the same element
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x] - m;
}
