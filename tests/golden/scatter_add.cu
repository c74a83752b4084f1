// s2sad: --of out --wrt x --assume launch:1d
extern "C" __global__ void scatter_add(const float *x, const int *idx, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&out[idx[i]], x[i]);
}
