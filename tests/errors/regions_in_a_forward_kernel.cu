// command: --mode split
extern "C" __global__ void kernel(const float *x, const int *order, float *y)
{
    extern __shared__ int place[];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ several-shared-types: not supported by --mode split yet
    float *values = (float *)&place[blockDim.x];
    int t = threadIdx.x;
    place[t] = order[t];
    values[t] = x[t] * x[t];
    __syncthreads();
    y[t] = values[place[t]];
}
