// s2sad: --of y --wrt x,w
// Rows of tensors, and rows of rows: their indices keep the values that they had at the declaration.
#include <torch/extension.h>

__global__ void tensor_rows(const torch::PackedTensorAccessor32<float, 3, torch::RestrictPtrTraits> x,
                            const torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> w,
                            torch::PackedTensorAccessor32<float, 3, torch::RestrictPtrTraits> y)
{
    const int n = blockIdx.y;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const auto image = x[n];
    auto out = y[n];
    if (i >= image.size(1))
        return;
    int above = image.size(0) - 1;
    for (int c = 0; c < image.size(0); ++c) {
        const auto here = image[c];
        const auto other = image[above];
        const auto weights = w[c];
        above = c;
        out[c][i] = weights[0] * here[i] * other[i] + weights[1] * here[here.size(0) - 1 - i];
    }
}
