// A condition that always holds, and a break at zero.
#define K 6
extern "C" __global__ void unsigned_until_break(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned j = 5; j >= 0; --j) { s = s * 0.9f + 0.1f * s * s * x[i * K + j]; if (j == 0) break; }
    y[i] = s;
}
