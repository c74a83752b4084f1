// A weighted three-point stencil on a periodic line; the weights are learnt.
// s2sad: --of out --wrt in,weight
extern "C" __global__ void stencil3(const float *in, const float *weight, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    int left = i == 0 ? n - 1 : i - 1;
    int right = i == n - 1 ? 0 : i + 1;
    out[i] = weight[0] * in[left] + weight[1] * in[i] + weight[2] * in[right];
}
