// s2sad: --of y --wrt x
__device__ void advance(const float *&p)
//                                   ^ no-references: its referent isn't known here
{
    p += 1;
}

extern "C" __global__ void shift(const float *x, float *y)
{
    advance(x);
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}
