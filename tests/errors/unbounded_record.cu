// s2sad: --of y --wrt y
extern "C" __global__ void settle(float *y, int n)
{
    int i = threadIdx.x;
    while (y[2 * i] > 1.0f) {
//  ^^^^^^^^^^^^^^^^^^^^^^^ unbounded-record: the number of iterations is known only while it runs
        y[2 * i + 1] = y[2 * i] * sinf(y[2 * i + 1]);
        y[2 * i] = y[2 * i] * 0.5f * sinf(y[2 * i + 1]);
    }
}
