__device__ decltype(1.0f) h(float v) { return v * v; }
extern "C" __global__ void decltype_of_an_expression(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    decltype(1.0f) a = h(x[i]);
    decltype(x[0] * 2.0f) b = a * x[i];
    decltype(i + 1) j = i + 1;
    y[i] = a * b * x[j];
}
