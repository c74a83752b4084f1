// s2sad: --of y --wrt x,y
// From channels first to channels last, with extents that only the launch knows: no lemma takes the
// index apart, so each element's adjoint is exchanged for nought.

__global__ void channels_last(float *y, const float *x, int C, int H, int W, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= n)
        return;
    int w = g % W, h = g / W % H, c = g / (W * H) % C, b = g / (W * H * C);
    int o = ((b * H + h) * W + w) * C + c;
    y[o] = sinf(y[o]) * x[g];
    if (x[g] < 0.0f)
        y[o] = 0.0f;
}
