// Features of chosen points: a block for each batch and channel, whose threads go over the points.
__global__ void gather(int n, int m, int channels, const float *__restrict__ feature,
                       const int *__restrict__ chosen, float *__restrict__ out)
{
    int batch = blockIdx.x, row = batch * channels + blockIdx.y;
    for (int k = threadIdx.x; k < m; k += blockDim.x)
        out[row * m + k] = feature[row * n + chosen[batch * m + k]];
}
