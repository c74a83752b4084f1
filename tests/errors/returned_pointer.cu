// s2sad: --of y --wrt x
__device__ const float *next(const float *v)
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^ pointer-parameter: its target can't be determined
{
    return v;
//         ^ pointer-value: only pointers into the same array can be compared
}

extern "C" __global__ void shift(const float *x, float *y)
{
    y[threadIdx.x] = 2.0f * *next(x);
}
