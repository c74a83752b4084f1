extern "C" __global__ void scale(const float *x, float *y)
//                         ^^^^^ several-kernels: the first one
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}

extern "C" __global__ void shift(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f + x[threadIdx.x];
}
