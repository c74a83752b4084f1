__device__ float twice(float v)
{
    return 2.0f * v;
}

template <typename F>
__device__ float apply(float v, F f)
{
    return f(v) * v;
}

extern "C" __global__ void kernel(const float *x, float *y)
{
    y[threadIdx.x] = apply(x[threadIdx.x], twice);
//                                         ^^^^^ function-pointer: the called function isn't known here
}
