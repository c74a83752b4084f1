extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    for (int k = 0; int left = n - k; k += left)
//                  ^^^ declaration-in-condition: not supported here
        y[i] = k * x[i];
}
