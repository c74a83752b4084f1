// s2sad: --of out --wrt in,scale --assume injective:target
// Stores go where the data say; that no two go to one place is the author's word.
extern "C" __global__ void scatter(const float *in, const int *target, float scale, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && target[i] % 3 != 0)
        out[target[i]] = scale * in[i] * in[i];
}
