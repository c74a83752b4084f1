namespace physics {
__device__ float fall(float t)
{
    return 4.9f * t * t;
}
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = physics::fall(x[i]);
//         ^^^^^^^ no-namespaces: namespaces are not looked into yet
}
