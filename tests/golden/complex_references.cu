// s2sad: --of re,im --wrt ar,ai,br,bi
// A radix-2 butterfly on split complex arrays; the product comes back through references.
__device__ void multiply(float &re, float &im, const float &ar, const float &ai, float br, float bi)
{
    float t = ar * br - ai * bi;
    im = ar * bi + ai * br;
    re = t;
}

extern "C" __global__ void complex_references(const float *ar, const float *ai, const float *br,
                                              const float *bi, float *re, float *im, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float &x = re[2 * i];
    float &y = im[2 * i];
    float u = ar[i], v = ai[i];
    multiply(u, v, u, v, br[i], bi[i]);
    x = ar[i] + u;
    y = ai[i] + v;
    multiply(x, y, x, y, 0.6f, 0.8f);
    re[2 * i + 1] = ar[i] - u;
    im[2 * i + 1] = ai[i] - v;
}
