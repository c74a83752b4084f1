__device__ float scaled(float half, float v) { return half * v * v; }
__device__ float mixed(float half, float half2)
{
    half *= half2;
    return half;
}
extern "C" __global__ void name_half_parameter(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = scaled(0.5f, x[i]) + mixed(x[i], x[i + 1]);
}
