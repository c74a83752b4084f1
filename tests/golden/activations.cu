// s2sad: --of y --wrt x,slope
// What networks put between their layers, one after the other.
extern "C" __global__ void activations(const float *x, float slope, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    float gelu = 0.5f * v * (1.0f + erff(v * 0.70710678f));
    float softplus = log1pf(expf(v));
    float elu = v > 0.0f ? v : slope * expm1f(v);
    float swish = v / (1.0f + expf(-slope * v));
    float mish = v * tanhf(softplus);
    float hard = fminf(fmaxf(0.2f * v + 0.5f, 0.0f), 1.0f);
    y[i] = gelu * softplus + elu * swish - mish * hard + logf(1.0f + v * v);
}
