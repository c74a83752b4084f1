// A thread's position that a signed char can't hold starts the loop.
#define K 6
extern "C" __global__ void thread_that_wraps_in_a_char(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (int a = 0; a < 4; ++a) {
        signed char b = threadIdx.x + 124 + a;
        for (int j = b; j < -122; ++j)
            s = s * 0.9f + 0.1f * s * s * x[i * K + (j & 3)];
    }
    y[i] = s;
}
