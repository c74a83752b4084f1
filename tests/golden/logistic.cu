// s2sad: --of y --wrt x,r
#define STEPS 12

// The logistic map: x <- r x (1 - x), a fixed number of times.
extern "C" __global__ void logistic(const float *x, float r, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < STEPS; ++k)
        s = r * s * (1.0f - s);
    y[i] = s;
}
