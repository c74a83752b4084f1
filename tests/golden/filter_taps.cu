// A filter for each channel: blockIdx.y is the channel, and all threads of a block share its taps.
// s2sad: --of y --wrt taps,bias,x
#define TAPS 5

extern "C" __global__ void filter_taps(const float *taps, const float *bias, const float *x,
                                       float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = blockIdx.y;
    if (i < n) {
        float sum = bias[channel];
        for (int k = 0; k < TAPS; ++k) {
            if (i + k < n)
                sum += taps[channel * TAPS + k] * x[i + k];
        }
        y[channel * n + i] = tanhf(sum);
    }
}
