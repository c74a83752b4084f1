// s2sad: --of y --wrt x
// A local array that is declared before the guard and filled behind it, as many elements as
// the caller says: the sweeps stand under the guard, the array doesn't.
extern "C" __global__ void spread(const float *x, float *y, int n, int w)
{
    float sum = 0.0f;
    float window[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int j = 0; j < w; j++)
            window[j] = 0.0f;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < w; j++)
                window[j] += x[(i + k) * w + j];
        for (int j = 0; j < w; j++)
            sum += window[j] * window[j];
        y[i] = sum;
    }
}
