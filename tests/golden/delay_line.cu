// s2sad: --of y --wrt x,taps
// A filter with a delay line in a local array that is shifted at every sample.
#define TAPS 4

extern "C" __global__ void delay_line(const float *x, const float *taps, float *y, int channels, int samples)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels)
        return;
    float line[TAPS] = {0.0f};
    for (int t = 0; t < samples; ++t) {
        for (int k = TAPS - 1; k > 0; --k)
            line[k] = line[k - 1];
        line[0] = x[c * samples + t];
        float sum = 0.0f;
        for (int k = 0; k < TAPS; ++k)
            sum += taps[k] * line[k] * line[k];
        y[c * samples + t] = sum;
    }
}
