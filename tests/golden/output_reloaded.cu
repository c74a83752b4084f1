// s2sad: --of e,s --wrt x
// An output is read back, and holds what a partial wants.
extern "C" __global__ void output_reloaded(const float *x, float *e, float *s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        e[i] = expf(x[i]);
        s[i] = e[i] / (1.0f + e[i]);
    }
}
