// s2sad: --of y,z --wrt x --assume launch:1d
// A block's values joined by an operation of the file's own, and those of its first threads.
#include <cub/cub.cuh>

struct Moments {
    float sum, product;
};

struct Join {
    __device__ Moments operator()(const Moments &a, const Moments &b) const
    {
        return {a.sum + b.sum, a.product * b.product};
    }
};

extern "C" __global__ void kernel(const float *x, float *y, float *z, int n)
{
    using Joined = cub::BlockReduce<Moments, 32>;
    using Total = cub::BlockReduce<float, 32>;
    __shared__ typename Joined::TempStorage joining;
    __shared__ typename Total::TempStorage adding;
    int i = blockIdx.x * 32 + threadIdx.x;
    Moments own = {0.0f, 1.0f};
    if (i < n)
        own = {sinf(x[i]), x[i]};
    const Moments all = Joined(joining).Reduce(own, Join{});
    float most = Total(adding).Reduce(own.sum, cub::Max{}, min(n - (int)blockIdx.x * 32, 32));
    __syncthreads();
    float some = Total(adding).Sum(own.product, 20);
    if (threadIdx.x == 0) {
        y[blockIdx.x] = all.sum * all.product;
        z[blockIdx.x] = most + some;
    }
}
