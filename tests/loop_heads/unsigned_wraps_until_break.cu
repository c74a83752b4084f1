// A condition that always holds, and a break after zero.
#define K 6
extern "C" __global__ void unsigned_wraps_until_break(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 1.0f;
    for (unsigned j = 5; j >= 0; --j) { s = s * s * 0.5f + s * 0.3f; if (j > 10) break; s = s * 0.9f + 0.1f * s * s * x[i * K + j]; }
    y[i] = s;
}
