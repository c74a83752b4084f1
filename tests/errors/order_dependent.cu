// s2sad: --of y --wrt x --assume injective:y
extern "C" __global__ void compacted(const float *x, int *count, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int slot = atomicAdd(count, 1);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ order-dependent: may differ between two runs
        y[slot] = x[i] * x[i];
    }
}
