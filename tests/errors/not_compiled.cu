#ifdef WITH_CUDA
typedef float real;
__device__ float twice(float v)
{
    return 2.0f * v;
}
#endif

extern "C" __global__ void scale(const float *x, float *y)
{
    real v = x[threadIdx.x];
//  ^^^^ not-compiled: used here
    y[threadIdx.x] = twice(v);
//                   ^^^^^ not-compiled: used here
}
