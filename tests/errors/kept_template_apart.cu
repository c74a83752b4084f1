// s2sad: --of y --wrt x --keep-template
template <class T>
__global__ void narrowed(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * expf((float)x[i]);
}

template __global__ void narrowed<double>(const double *, double *, int);
