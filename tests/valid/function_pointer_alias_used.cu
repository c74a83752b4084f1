// refused: function-pointers
using Op = float (*)(float);
__device__ float square(float v) { return v * v; }
extern "C" __global__ void function_pointer_alias_used(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Op op = square;
    y[i] = op(x[i]);
}
