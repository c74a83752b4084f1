extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = x[i];
    #endif
//  ^^^^^^ stray-directive: unexpected here
}
