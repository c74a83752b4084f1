extern "C" __global__ void name_uint_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int uint = 0; uint < 4; ++uint)
        s += x[i + uint] * x[i];
    y[i] = s;
}
