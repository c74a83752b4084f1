extern "C" __global__ void extension_(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = ({ float t = x[i]; t * t; });
    int j = m[i] ?: 2;
    y[i] = s * x[j] * __builtin_expect(1, 1);
}
