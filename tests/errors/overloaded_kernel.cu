// s2sad: --of y --wrt x
extern "C" __global__ void scale(const float *x, float *y)
//                         ^^^^^ overloaded-kernel: the first one
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}

__global__ void scale(const float *x, float *y, float a)
{
    y[threadIdx.x] = a * x[threadIdx.x];
}
