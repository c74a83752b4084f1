// meets: unknown-name
// where: VALUE=3.0f
// s2sad: --of y --wrt x
// the build passes -DPERIOD=…
extern "C" __global__ void wave(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[i] / PERIOD);
}
