// command: --template U=float
template <typename T>
__global__ void scale(const T *x, T *y)
//              ^^^^^ no-such-template-parameter: its template parameters are T
{
    y[threadIdx.x] = 2 * x[threadIdx.x];
}
