// meets: order-dependent, shared-writer
// s2sad: --of y --wrt x
// positive values, packed
extern "C" __global__ void pack(const float *x, int *count, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int slot = atomicAdd(count, 1);
        y[slot] = x[i] * x[i];
    }
}
