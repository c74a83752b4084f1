// s2sad: --of y,z --wrt x
extern "C" __global__ void rows(const float *x, float *y, float *z, const int *start, const int *order, int n)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (w >= n)
        return;
    int end = start[w + 1];
    for (int k = start[w] + lane; k < end; k += 32)
        y[k] = x[k] * x[w];
//      ^^^^ shared-writer: two threads may write the same element
    for (int k = order[w] + lane; k < end; k += 32)
        z[k] = x[k] * x[w];
//      ^^^^ shared-writer: two threads may write the same element
}
