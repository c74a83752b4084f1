    #define AT(r, ) x[r]
//  ^^^^^^^^^^^^^^^^^^^^ bad-directive: not understood

extern "C" __global__ void kernel(const float *x, float *y)
{
    y[threadIdx.x] = AT(threadIdx.x, 0);
}
