// s2sad: --of y --wrt x,w,bias
// PyTorch's views of tensors: a convolution of one element over channels that an index picks, of four
// dimensions, in both widths of indices and by the class's own name.
#include <torch/extension.h>

template <typename scalar_t> __device__ scalar_t leaky(scalar_t v) { return v > scalar_t(0) ? v : v * scalar_t(0.25); }

template <typename scalar_t>
__global__ void packed_accessors(const torch::PackedTensorAccessor64<scalar_t, 4> x,
                                 const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> w,
                                 const at::GenericPackedTensorAccessor<scalar_t, 1, at::RestrictPtrTraits, int32_t> bias,
                                 const at::PackedTensorAccessor<int64_t, 2> pick,
                                 torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> y)
{
    const int n = blockIdx.z;
    const int o = blockIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= y.size(2))
        return;
    scalar_t sum = bias[o];
    for (int k = 0; k < pick.size(1); ++k)
        sum += w[o][k] * x[n][pick[o][k]][i / x.size(3)][i % x.size(3)];
    y[n][o][i] = leaky(sum) * x.size(1);
}
