// The squares of all positive values, in the order in which threads come; `slot` says where each one went.
extern "C" __global__ void compact(int n, const float *x, int *count, int *slot, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int k = atomicAdd(count, 1);
        slot[i] = k;
        out[k] = x[i] * x[i];
    }
}
