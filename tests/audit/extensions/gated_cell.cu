// A recurrent cell with three gates, through packed accessors. The forward keeps its gates for the backward.
#include <torch/extension.h>

namespace {

template <typename T> __device__ __forceinline__ T logistic(T z) { return T(1) / (T(1) + exp(-z)); }
template <typename T> __device__ __forceinline__ T d_logistic(T s) { return s * (T(1) - s); }
template <typename T> __device__ __forceinline__ T d_tanh(T t) { return T(1) - t * t; }

template <typename scalar_t>
__global__ void cell_forward(
    const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> gates,
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> old_cell,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> new_h,
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> new_cell,
    torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> kept)
{
    const int n = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < gates.size(2)) {
        const auto in = logistic(gates[n][0][c]);
        const auto out = logistic(gates[n][1][c]);
        const auto candidate = tanh(gates[n][2][c]);
        kept[n][0][c] = in;
        kept[n][1][c] = out;
        kept[n][2][c] = candidate;
        new_cell[n][c] = old_cell[n][c] + candidate * in;
        new_h[n][c] = tanh(new_cell[n][c]) * out;
    }
}

template <typename scalar_t>
__global__ void cell_backward(
    torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> d_old_cell,
    torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> d_gates,
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> grad_h,
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> grad_cell,
    const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> new_cell,
    const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> saved)
{
    const int n = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= d_gates.size(2))
        return;
    const auto gate = saved[n];
    const auto t = tanh(new_cell[n][c]);
    const auto d_cell = d_tanh(t) * gate[1][c] * grad_h[n][c] + grad_cell[n][c];
    d_old_cell[n][c] = d_cell;
    d_gates[n][0][c] = gate[2][c] * d_cell * d_logistic(gate[0][c]);
    d_gates[n][1][c] = t * grad_h[n][c] * d_logistic(gate[1][c]);
    d_gates[n][2][c] = gate[0][c] * d_cell * d_tanh(gate[2][c]);
}

}  // namespace

std::vector<torch::Tensor> cell_cuda_backward(torch::Tensor grad_h, torch::Tensor grad_cell,
                                              torch::Tensor new_cell, torch::Tensor saved)
{
    auto d_old_cell = torch::empty_like(new_cell);
    auto d_gates = torch::empty_like(saved);
    const dim3 blocks((new_cell.size(1) + 31) / 32, new_cell.size(0));
    AT_DISPATCH_FLOATING_TYPES(saved.type(), "cell_backward", ([&] {
        cell_backward<scalar_t><<<blocks, 32>>>(
            d_old_cell.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            d_gates.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>(),
            grad_h.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            grad_cell.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            new_cell.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
            saved.packed_accessor32<scalar_t, 3, torch::RestrictPtrTraits>());
    }));
    return {d_old_cell, d_gates};
}
