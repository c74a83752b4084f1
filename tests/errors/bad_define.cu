    #define 3 4
//  ^^^^^^^^^^^ bad-directive: not understood
extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    y[i] = x[i];
}
