// s2sad: --of kept --wrt x,w --mode split --assume injective:kept --assume launch:1d
// What is positive is kept, one behind the other; its place is counted by an atomic.
extern "C" __global__ void stream_compact(const float *__restrict__ x, const float *__restrict__ w,
                                          float *kept, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int slot = atomicAdd(count, 1);
        kept[slot] = w[i] * sqrtf(x[i]);
    }
}
