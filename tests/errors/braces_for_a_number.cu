__device__ float twice(float v) { return 2.0f * v; }

__global__ void k(const float *x, float *y)
{
    y[threadIdx.x] = twice({x[0], x[1]});
//                         ^^^^^^^^^^^^ not-supported: not differentiated yet
}
