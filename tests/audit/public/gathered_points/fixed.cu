// Batches are along x, as in the forward.
__global__ void gather_backward(int n, int m, int channels, const int *__restrict__ chosen,
                                const float *__restrict__ grad_out, float *__restrict__ grad_feature)
{
    int batch = blockIdx.x, row = batch * channels + blockIdx.y;
    for (int k = threadIdx.x; k < m; k += blockDim.x)
        atomicAdd(&grad_feature[row * n + chosen[batch * m + k]], grad_out[row * m + k]);
}
