// s2sad: --of out --wrt in,w,bias
#define RADIUS 2

extern "C" __global__ void conv1d(const float *in, const float *w, float bias, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = bias;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        int j = i + k;
        if (j >= 0 && j < n)
            sum += w[k + RADIUS] * in[j];
    }
    out[i] = sum > 0.0f ? sum : 0.01f * sum;
}
