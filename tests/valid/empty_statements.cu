;
struct Empty {};;
__device__ void nothing() {}
extern "C" __global__ void empty_statements(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    ;
    ;;
    {}
    { ; }
    if (m[i] > 3)
        ;
    for (int k = 0; k < 3; ++k)
        ;
    y[i] = x[i] * x[i];
    ;
}
