// help: pass an int flag
// s2sad: --of y --wrt x,bias
// a bias that may be left out
extern "C" __global__ void scale(const float *x, const float *bias, int has_bias, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i] * x[i];
        if (has_bias)
            v += bias[i];
        y[i] = v;
    }
}
