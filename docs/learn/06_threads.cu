// s2sad: --of y --wrt x
// A weighted mean of neighbours: three threads read each element.
extern "C" __global__ void blur(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = i > 0 ? x[i - 1] : 0.0f;
    float right = i + 1 < n ? x[i + 1] : 0.0f;
    y[i] = 0.25f * (left + 2.0f * x[i] + right);
}
