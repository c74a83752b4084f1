// s2sad: --of y --wrt x,w
// A grid-stride loop written as a while: it counts all the same.
__global__ void while_grid_stride(const float *x, const float *w, float *y, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    while (i < n) {
        float v = x[i];
        y[i] = v * v * w[0];
        i += blockDim.x * gridDim.x;
    }
}
