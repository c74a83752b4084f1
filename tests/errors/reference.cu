__device__ float twice(float &&v)
//                           ^^ not-supported: not differentiated yet
{
    return 2.0f * v;
}

__device__ void shift(const float *&p)
//                                 ^ no-references: its referent isn't known here
{
    p += 1;
}

extern "C" __global__ void up(const float *x, float *y)
{
    shift(x);
    y[threadIdx.x] = twice(x[0]);
}
