extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (n < 0)
        throw 1;
//      ^^^^^ no-exceptions: there are no exceptions in device code
    y[i] = x[i];
}
