// command: --kernel parent
__global__ void child(float *y)
{
    y[threadIdx.x] = 1.0f;
}

extern "C" __global__ void parent(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
    child<<<1, 32>>>(y);
//       ^^ dynamic-parallelism: dynamic parallelism is not differentiated
}
