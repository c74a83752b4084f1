__device__ float odd(float x, int n);

__device__ float even(float x, int n)
//               ^^^^ recursion: recursion is not differentiated
{
    return n == 0 ? x : odd(x, n - 1);
}

__device__ float odd(float x, int n)
{
    return n == 0 ? -x : even(x, n - 1);
}

extern "C" __global__ void alternate(const float *x, float *y)
{
    y[threadIdx.x] = even(x[threadIdx.x], 5);
}
