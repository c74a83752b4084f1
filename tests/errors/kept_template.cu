// s2sad: --of y --wrt x --keep-template
template <class T, int N>
__global__ void tiles(const T *x, T *y)
//              ^^^^^ kept-template: its template
{
    __shared__ T part[N];
    part[threadIdx.x] = x[blockIdx.x * N + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * N + threadIdx.x] = part[N - 1 - threadIdx.x] * part[threadIdx.x];
}

template __global__ void tiles<float, 64>(const float *, float *);
