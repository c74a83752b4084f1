__device__ float walk_adj(float v) { return v * v; }
//               ^^^^^^^^ name-taken: already has that name
extern "C" __global__ void walk(const float *x, float *y, int n)
{
    y[threadIdx.x] = walk_adj(x[threadIdx.x]);
}
