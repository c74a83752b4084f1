// s2sad: --of y --wrt y
extern "C" __global__ void settle(float *y, int n)
{
    int i = threadIdx.x;
    while (y[i] > 1.0f)
//  ^^^^^^^^^^^^^^^^^^^ unbounded-record: the number of iterations is known only while it runs
        y[i] = y[i] * 0.5f * sinf(y[i]);
}
