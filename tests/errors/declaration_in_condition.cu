extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (int m = n % 2)
//      ^^^ declaration-in-condition: not taken here
        y[i] = m * x[i];
}
