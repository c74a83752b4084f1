// s2sad: --of y --wrt x,w
// Memory of the launch's size that holds halves, floats and integers: an array for each of them.
#include <cuda_fp16.h>
extern "C" __global__ void regions_of_the_launch(const float *x, const __half *w, const int *order, float *y, int n)
{
    extern __shared__ __align__(8) unsigned char memory[];
    float *values = (float *)memory;
    int *place = (int *)(values + n);
    __half *weights = (__half *)(memory + n * (sizeof(float) + sizeof(int)));
    int t = threadIdx.x;
    if (t < n) {
        values[t] = x[blockIdx.x * n + t];
        place[t] = order[t];
        weights[t] = w[t];
    }
    __syncthreads();
    float sum = 0.0f;
    if (t < n)
        sum = values[place[t]] * values[t] + __half2float(weights[place[t]]) * values[n - 1 - t];
    __syncthreads();
    if (t < n)
        values[t] = sum * sum;
    __syncthreads();
    if (t < n)
        y[blockIdx.x * n + t] = values[place[t]] * __half2float(weights[t]);
}
