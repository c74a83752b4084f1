// Rows of a table by index.
__global__ void lookup(int tokens, int width, const int *__restrict__ index, const float *__restrict__ table,
                       float *__restrict__ out)
{
    int t = blockIdx.y, f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f < width)
        out[t * width + f] = table[index[t] * width + f];
}
