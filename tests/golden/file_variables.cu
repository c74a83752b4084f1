// s2sad: --of y --wrt x,taps,scale,physics
// Variables of the file that others set: a filter, a number, a struct, and a sum.
struct Physics {
    float rate;
    int steps;
};

__constant__ float taps[3][4];
static __device__ float scale, unused = 1.0f;
__constant__ Physics physics;
__device__ int shift = 2;

__device__ float decayed(float v)
{
    for (int k = 0; k < physics.steps; ++k)
        v -= physics.rate * v * v;
    return v;
}

__global__ void file_variables(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.0f;
    for (int k = 0; k < 4; ++k)
        s += taps[i % 3][k] * x[(i + k + shift) % n];
    y[i] = scale * decayed(s) * s;
}
