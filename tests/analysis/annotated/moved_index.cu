// tbr
__global__ void moved_index(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = sinf(x[i]);  // tbr: x[i] (reloaded), i (copied)
    i = threadIdx.x;
    float b = a * x[i];  // tbr: x[i] (reloaded), i (copied), a
    i = 0;
    y[i + threadIdx.x] = b;  // tbr: i
}
