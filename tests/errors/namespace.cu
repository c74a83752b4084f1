extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = physics::fall(x[i]);
//         ^^^^^^^ no-namespaces: neither a namespace here nor one of a header that is found
}
