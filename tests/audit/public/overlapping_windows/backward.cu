// What Jittor/jittor#39 describes: windows overlap, so one value is the largest of several, and the sum to it is
// no atomic one.
__global__ void pool_backward(int n, const int *__restrict__ where, const float *__restrict__ grad_y,
                              float *__restrict__ grad_x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 2 < n)
        grad_x[where[i]] += grad_y[i];
}
