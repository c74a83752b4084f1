"""An extension of PyTorch that is compiled when the script runs: two sources, several kernels, host code."""

from torch.utils.cpp_extension import load_inline

DECLARATIONS = "torch::Tensor gated(torch::Tensor x, torch::Tensor w);"

HELPERS = """
template <typename T> __device__ __forceinline__ T gate(T v)
{
    return T(1) / (T(1) + exp(-v));
}
"""

KERNELS = """
#include <torch/extension.h>

template <typename scalar_t>
__global__ void gated_kernel(const scalar_t *x, const scalar_t *w, scalar_t *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * gate(w[i] * x[i]);  // as SiLU, with a slope
}

template <typename scalar_t>
__global__ void halved_kernel(const scalar_t *x, scalar_t *y)
{
    y[threadIdx.x] = x[threadIdx.x] / 2;
}

torch::Tensor gated(torch::Tensor x, torch::Tensor w)
{
    TORCH_CHECK(x.is_cuda(), "x isn't on a GPU");
    auto y = torch::empty_like(x);
    const auto blocks = [&](int threads) { return (x.numel() + threads - 1) / threads; };
    AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "gated", ([&] {
        gated_kernel<scalar_t><<<blocks(256), 256>>>(
            x.data_ptr<scalar_t>(), w.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel());
        C10_CUDA_KERNEL_LAUNCH_CHECK();
    }));
    return y;
}
"""

module = load_inline(
    name="gated", cpp_sources=DECLARATIONS, cuda_sources=[HELPERS, KERNELS], functions=["gated"]
)
