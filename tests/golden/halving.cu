// s2sad: --of y --wrt x
// A counter that is halved: the trip count must be known to go back.
extern "C" __global__ void halving(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int o = i + 1; o > 0; o /= 2)
        s = s * s + x[o - 1] / o;
    y[i] = tanhf(s);
}
