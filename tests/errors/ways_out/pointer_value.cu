// meets: pointer-value
// s2sad: --of y --wrt x,bias
// a bias that may be the input itself, which is left out then
extern "C" __global__ void scale(const float *x, const float *bias, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i] * x[i];
        if (bias != x)
            v += bias[i];
        y[i] = v;
    }
}
