extern "C" __global__ void compact_adj(int n, const float *x, float *adj_x, int *count, const int *slot,
                                       const float *adj_out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int k = slot[i];
        adj_x[i] += 2.0f * x[i] * adj_out[k];
    }
}
