template <typename T, typename U>
__device__ T converted(U v)
{
    return T(v);
}

extern "C" __global__ void scale(const float *x, float *y)
{
    y[threadIdx.x] = converted(x[threadIdx.x]);
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^ not-deduced: called with (float)
}
