// meets: shared-writer
// s2sad: --of out --wrt x
// scatter by a list of positions
extern "C" __global__ void scatter(const float *x, const int *idx, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[idx[i]] = 2.0f * x[i] * x[i];
}
