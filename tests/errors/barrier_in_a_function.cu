__device__ float shared_square(float v)
{
    __shared__ float s;
//  ^^^^^^^^^^^^^^^^^^^ barrier-in-function: device functions with these are not differentiated yet
    if (threadIdx.x == 0)
        s = v * v;
    __syncthreads();
    return s;
}

extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = shared_square(x[threadIdx.x]);
}
