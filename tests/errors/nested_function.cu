extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float twice(float v);
//  ^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    y[i] = x[i];
}
