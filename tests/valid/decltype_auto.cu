// refused: no-classes
__device__ decltype(auto) f(float v) { return v * v; }
extern "C" __global__ void decltype_auto(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = f(x[i]) ;
    decltype(auto) v = x[i];
    y[i] *= v;
}
