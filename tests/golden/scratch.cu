// s2sad: --of out --wrt in
// A global array that is neither dependent nor independent carries values in between.
extern "C" __global__ void scratch(const double *in, double *work, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    work[2 * i] = exp(in[i]);
    work[2 * i + 1] = work[2 * i] * in[i];
    work[2 * i] = sin(work[2 * i + 1]) + 1.0;
    out[i] = work[2 * i] * work[2 * i + 1];
}
