// s2sad: --of y --wrt x,scale --template scalar_t=float
// Softmax of each row with a temperature, in the style of PyTorch's extensions: a type that a
// dispatch macro would choose, a loop macro over the grid, limits of the type.
#include <torch/extension.h>
#include <limits>

#define CUDA_KERNEL_LOOP(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

namespace {
constexpr int COLUMNS(5);

template <typename scalar_t>
__device__ __forceinline__ scalar_t scaled(scalar_t v, scalar_t by)
{
    return static_cast<scalar_t>(1) / by * v;
}

template <typename scalar_t>
__global__ void softmax_kernel(const scalar_t *__restrict__ x, const scalar_t *scale, scalar_t *y, const int rows)
{
    CUDA_KERNEL_LOOP(row, rows)
    {
        scalar_t largest = std::numeric_limits<scalar_t>::lowest();
        for (int c = 0; c < COLUMNS; ++c)
            largest = std::max(largest, scaled(x[row * COLUMNS + c], scale[0]));
        scalar_t sum(0);
        for (int c = 0; c < COLUMNS; ++c)
            sum += std::exp(scaled(x[row * COLUMNS + c], scale[0]) - largest);
        for (int c = 0; c < COLUMNS; ++c)
            y[row * COLUMNS + c] = std::exp(scaled(x[row * COLUMNS + c], scale[0]) - largest) / sum;
    }
}
}

torch::Tensor softmax(torch::Tensor x, torch::Tensor scale)
{
    auto y = torch::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "softmax", ([&] {
        softmax_kernel<scalar_t><<<(x.size(0) + 127) / 128, 128>>>(
            x.data_ptr<scalar_t>(), scale.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(0));
    }));
    return y;
}
