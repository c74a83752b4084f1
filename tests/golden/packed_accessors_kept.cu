// s2sad: --of y --wrt x,w --keep-template
// The structs that stand for views of tensors stay templates, too.
#include <torch/extension.h>

template <typename scalar_t>
__global__ void packed_accessors_kept(const torch::PackedTensorAccessor64<scalar_t, 3> x,
                                      const torch::PackedTensorAccessor32<scalar_t, 1, torch::RestrictPtrTraits> w,
                                      torch::PackedTensorAccessor64<scalar_t, 3> y)
{
    const int n = blockIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= x.size(2))
        return;
    for (int c = 0; c < x.size(1); ++c)
        y[n][c][i] = w[c] * x[n][c][i] * x[n][c][i];
}
