// A broadcast kernel of one argument, all of them active, from the study of arity in J. Revels et al.,
// "Dynamic automatic differentiation of GPU broadcast kernels" (2018).
// s2sad: --of y --wrt x1
extern "C" __global__ void tanh_product_1(const float *__restrict__ x1, float *__restrict__ y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = tanhf(x1[i]);
}
