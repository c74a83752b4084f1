template <typename T>
__global__ void scale(const T *x, T *y)
//              ^^^^^ no-templates: templates are not differentiated yet
{
    y[threadIdx.x] = 2 * x[threadIdx.x];
}
