// Elements of a row are stored by a counter that passes zero.
#define K 6
extern "C" __global__ void rows_stored_downwards(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (unsigned j = 5; j != -1; --j) y[i * K + j] = x[i * K + j] * x[i * K + j];
}
