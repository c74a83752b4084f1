// command: --of y --wrt y --bound "6=count(n)"
extern "C" __global__ void settle(float *y, int n)
//                         ^^^^^^ bound-unclear: --bound 6=count(n) isn't an integer expression over the kernel's scalar parameters
{
    int i = threadIdx.x;
    while (y[i] > 1.0f)
        y[i] = y[i] * 0.5f * sinf(y[i]);
}
