__device__ float twice(float v) { return 2.0f * v; }

__global__ void k(const float *x, float *y)
{
    y[threadIdx.x] = twice({x[threadIdx.x]});
//                         ^^^^^^^^^^^^^^^^ type-error: not taken here; write the values one by one
}
