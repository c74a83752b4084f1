// An activation with a slope that is learned: y = x * sigmoid(beta x), and a clamp on what is passed on.
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cmath>

namespace {

template <typename scalar_t>
__device__ __forceinline__ scalar_t sigmoid(scalar_t z)
{
    return static_cast<scalar_t>(1) / (static_cast<scalar_t>(1) + std::exp(-z));
}

template <typename scalar_t>
C10_LAUNCH_BOUNDS_1(512)
__global__ void swish_forward_kernel(const int64_t count, const scalar_t *__restrict__ input,
                                     const scalar_t *__restrict__ beta, scalar_t *__restrict__ output,
                                     const int channels, const scalar_t limit)
{
    CUDA_KERNEL_LOOP(index, count)
    {
        const scalar_t x = std::min(std::max(input[index], -limit), limit);
        output[index] = x * sigmoid(beta[index % channels] * x);
    }
}

template <typename scalar_t>
C10_LAUNCH_BOUNDS_1(512)
__global__ void swish_backward_kernel(const int64_t count, const scalar_t *__restrict__ grad_output,
                                      const scalar_t *__restrict__ input, const scalar_t *__restrict__ beta,
                                      scalar_t *__restrict__ grad_input, scalar_t *__restrict__ grad_beta,
                                      const int channels, const scalar_t limit)
{
    CUDA_KERNEL_LOOP(index, count)
    {
        const scalar_t x = std::min(std::max(input[index], -limit), limit);
        const scalar_t b = beta[index % channels];
        const scalar_t s = sigmoid(b * x);
        const scalar_t ds = s * (static_cast<scalar_t>(1) - s);
        const bool inside = input[index] > -limit && input[index] < limit;
        grad_input[index] = inside ? grad_output[index] * (s + b * x * ds) : static_cast<scalar_t>(0);
        gpuAtomicAdd(&grad_beta[index % channels], grad_output[index] * x * x * ds);
    }
}

}  // namespace

std::vector<at::Tensor> swish_backward(at::Tensor grad_output, at::Tensor input, at::Tensor beta, double limit)
{
    const at::cuda::OptionalCUDAGuard guard(input.device());
    auto grad_input = at::empty_like(input);
    auto grad_beta = at::zeros_like(beta);
    const int64_t count = input.numel();
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "swish_backward", [&] {
        swish_backward_kernel<scalar_t><<<(count + 511) / 512, 512, 0, at::cuda::getCurrentCUDAStream()>>>(
            count, grad_output.data_ptr<scalar_t>(), input.data_ptr<scalar_t>(), beta.data_ptr<scalar_t>(),
            grad_input.data_ptr<scalar_t>(), grad_beta.data_ptr<scalar_t>(), beta.numel(), limit);
    });
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return {grad_input, grad_beta};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)
{
    m.def("backward", &swish_backward, "swish backward");
}
