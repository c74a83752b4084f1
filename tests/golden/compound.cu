// s2sad: --of y --wrt x,w
// Every compound assignment, and the one whose right side reads its target.
extern "C" __global__ void compound(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    v += v * w[i];
    v *= v;
    v -= 0.5f * v * w[i];
    v /= 1.0f + v * v;
    v++;
    v *= w[i];
    --v;
    v += x[i] - 0.5f * v;
    v -= v / (2.0f + x[i] * x[i]);
    v *= 3.0f;
    y[i] = v;
}
