using Op = float (*)(float);
typedef float (*Fn)(float, float);
extern "C" __global__ void function_pointer_alias(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * x[i];
}
