// s2sad: --of y --wrt x,w --companion
// PyTorch hides the members of its accessors: a companion has structs of its own for them.
#include <torch/extension.h>

__device__ float squared(float v) { return v * v; }

__global__ void packed_accessors_companion(const torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> x,
                                           const torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits> w,
                                           torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> y)
{
    const int n = blockIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < x.size(1))
        y[n][i] = w[i] * squared(x[n][i]);
}
