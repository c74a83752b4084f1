// s2sad: --of mass --wrt x,w
// Each sample adds its weight to two bins, split by where it falls between them. In a
// launch that may be 2-D, several threads may have the same sample.
#define BINS 8

extern "C" __global__ void histogram_weights(const float *x, const float *w, float *mass, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float at = fminf(fmaxf(x[i], 0.0f), BINS - 1.001f);
    int bin = (int)at;
    float right = at - bin;
    atomicAdd(&mass[bin], w[i] * (1.0f - right));
    atomicAdd(&mass[bin + 1], w[i] * right);
}
