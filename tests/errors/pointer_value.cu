extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (x == y)
//      ^^^^^^ pointer-value: only two pointers into one array are compared
        return;
    y[i] = x[i];
}
