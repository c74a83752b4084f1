extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    switch (int m = n % 2) {
//          ^^^ declaration-in-condition: not taken here
    case 0:
        y[i] = m * x[i];
    }
}
