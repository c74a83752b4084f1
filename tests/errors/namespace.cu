extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = physics::fall(x[i]);
//         ^^^^^^^ no-namespaces: not a namespace of this file or of a header that is found
}
