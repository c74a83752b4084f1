// command: --mode second-order --hessian diag
// s2sad: --of y --wrt x
__global__ void chained(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n)
        y[i] = x[i] * x[i + 1];
}
// in another file: not-diagonal: the gradient may depend on another element here
