namespace fast {
__device__ float root(float v)
{
    return rsqrtf(v) * v;
}
}
namespace exact {
__device__ float root(float v)
{
    return sqrtf(v);
}
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = fast::root(x[i]) - exact::root(x[i]);
//                            ^^^^^ several-namespaces: declared in exact and in fast
}
