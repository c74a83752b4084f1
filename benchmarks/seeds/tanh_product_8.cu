// A broadcast kernel of eight arguments, all of them active, from the study of arity in J. Revels et al.,
// "Dynamic automatic differentiation of GPU broadcast kernels" (2018).
// s2sad: --of y --wrt x1,x2,x3,x4,x5,x6,x7,x8
extern "C" __global__ void tanh_product_8(const float *__restrict__ x1, const float *__restrict__ x2,
                                          const float *__restrict__ x3, const float *__restrict__ x4,
                                          const float *__restrict__ x5, const float *__restrict__ x6,
                                          const float *__restrict__ x7, const float *__restrict__ x8,
                                          float *__restrict__ y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = tanhf(x1[i]) * tanhf(-x2[i]) * tanhf(x3[i]) * tanhf(-x4[i])
               * tanhf(x5[i]) * tanhf(-x6[i]) * tanhf(x7[i]) * tanhf(-x8[i]);
}
