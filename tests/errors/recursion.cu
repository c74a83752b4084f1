__device__ float power(float x, int n)
//               ^^^^^ recursion: recursion is not differentiated
{
    return n == 0 ? 1.0f : x * power(x, n - 1);
}

extern "C" __global__ void raise(const float *x, float *y)
{
    y[threadIdx.x] = power(x[threadIdx.x], 5);
}
