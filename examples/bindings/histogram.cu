// Statistics: a histogram that can be differentiated. Each value adds its weight to the two nearest bins.
// s2sad: launch grid=(n+255)/256 block=256 n=x.size weight=x hist=bins
extern "C" __global__ void histogram(const float *__restrict__ x, const float *__restrict__ weight,
                                     float *__restrict__ hist, int n, int bins, float low, float width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float place = (x[i] - low) / width;
    int bin = (int)floorf(place);
    if (bin < 0 || bin + 1 >= bins)
        return;
    float part = place - bin;
    atomicAdd(&hist[bin], (1.0f - part) * weight[i]);
    atomicAdd(&hist[bin + 1], part * weight[i]);
}
