// refused: function-pointers
typedef float (*Op)(float);
__device__ float square(float v) { return v * v; }
__device__ float apply(Op op, float v) { return op(v); }
extern "C" __global__ void function_pointer_parameter(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = apply(square, x[i]);
}
