__device__ float first(const float *v)
//                     ^^^^^^^^^^^^^^ pointer-parameter: a `__device__` function takes and returns values only, for now
{
    return v[0];
}

extern "C" __global__ void head(const float *x, float *y)
{
    y[threadIdx.x] = first(x);
//                         ^ pointer-arithmetic: a pointer is an array and an offset into it, written as such
}
