// s2sad: --of out --wrt in,c
// Every interior point reads its two neighbours; the ends are copied.
extern "C" __global__ void stencil(const float *in, const float *c, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0 || i == n - 1)
        out[i] = in[i];
    else
        out[i] = c[0] * in[i - 1] + c[1] * in[i] + c[2] * in[i + 1];
}
