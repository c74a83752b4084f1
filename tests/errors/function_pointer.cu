__device__ float twice(float v)
{
    return 2.0f * v;
}

extern "C" __global__ void apply(const float *x, float *y)
{
    float (*f)(float) = twice;
//        ^ function-pointers: the called function would be unknown
    y[threadIdx.x] = f(x[threadIdx.x]);
}
