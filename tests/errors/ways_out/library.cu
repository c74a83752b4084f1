// meets: library
// s2sad: --of y --wrt x
// the product of a block's factors
#include <cub/cub.cuh>

struct Times {
    __device__ float operator()(float a, float b) const { return a * b; }
};

__global__ void product(const float *x, float *y)
{
    using Block = cub::BlockReduce<float, 32>;
    __shared__ typename Block::TempStorage room;
    float whole = Block(room).Reduce(x[blockIdx.x * 32 + threadIdx.x], Times());
    if (threadIdx.x == 0)
        y[blockIdx.x] = whole;
}
