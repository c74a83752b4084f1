// s2sad: --of y --wrt x,filter
// A struct that is passed by value: weights, a size and an offset in one.
#define TAPS 5
typedef struct {
    float w[TAPS];
    float bias;
    int stride;
} Filter;

__global__ void smooth(const float *x, Filter filter, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = filter.bias;
    for (int k = 0; k < TAPS; ++k) {
        int j = i + (k - TAPS / 2) * filter.stride;
        if (j >= 0 && j < n)
            sum += filter.w[k] * x[j];
    }
    y[i] = tanhf(sum);
}
