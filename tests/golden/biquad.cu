// s2sad: --of y --wrt x,b0,b1,b2,a1,a2
// A recursive filter that reads back what it stored one and two samples before.
extern "C" __global__ void biquad(const float *x, float *y, float b0, float b1, float b2, float a1, float a2,
                                  int channels, int samples)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels)
        return;
    for (int t = 2; t < samples; ++t) {
        int k = c * samples + t;
        y[k] = b0 * x[k] + b1 * x[k - 1] + b2 * x[k - 2] - a1 * y[k - 1] - a2 * y[k - 2];
    }
}
