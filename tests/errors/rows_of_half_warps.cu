// s2sad: --of y --wrt x --assume sorted:ptr
extern "C" __global__ void kernel(const float *x, float *y, const int *ptr, int n)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (w >= n)
        return;
    for (int k = ptr[w] + threadIdx.x % 16; k < ptr[w + 1]; k += 32)
        y[k] = x[k] * x[k];
//      ^^^^ shared-writer: two threads may write the same element
}
