struct Later;
__device__ float f(float);
extern __device__ float f(float v);
struct Later {
    float v;
};
__device__ float f(float v) { return v * v; }
extern "C" __global__ void forward_declarations(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i]);
}
