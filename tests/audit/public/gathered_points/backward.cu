// What fishbotics/pointnet2_ops#4 describes: the kernel takes its batch from the grid's z, and is launched with the
// batches along x. One batch is right.
__global__ void gather_backward(int n, int m, int channels, const int *__restrict__ chosen,
                                const float *__restrict__ grad_out, float *__restrict__ grad_feature)
{
    int batch = blockIdx.z, row = batch * channels + blockIdx.y;
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < m)
        atomicAdd(&grad_feature[row * n + chosen[batch * m + k]], grad_out[row * m + k]);
}
