// command: --of y --wrt y --bound 3=n
extern "C" __global__ void settle(float *y, int n)
//                         ^^^^^^ bound-not-used: no loop starts in line 3
{
    int i = threadIdx.x;
    while (y[i] > 1.0f)
        y[i] = y[i] * 0.5f * sinf(y[i]);
}
