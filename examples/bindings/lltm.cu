// Neural networks: the cell of PyTorch's tutorial on extensions, through packed accessors. A cell with
// gates like an LSTM's, but no gate to forget, and ELU instead of tanh.
#include <torch/extension.h>

template <typename scalar_t> __device__ __forceinline__ scalar_t sigmoid(scalar_t z)
{
    return 1.0 / (1.0 + exp(-z));
}

template <typename scalar_t> __device__ __forceinline__ scalar_t elu(scalar_t z, scalar_t alpha = 1.0)
{
    return fmaxf(0.0, z) + fminf(0.0, alpha * (exp(z) - 1.0));
}

// s2sad: --of new_h,new_cell --wrt gates,old_cell
// s2sad: launch grid=(gates.dim2+31)/32,gates.dim0 block=32 gates=gates.dim0,3,gates.dim2 old_cell=gates.dim0,gates.dim2
template <typename scalar_t>
__global__ void lltm(const torch::PackedTensorAccessor32<scalar_t, 3, torch::RestrictPtrTraits> gates,
                     const torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> old_cell,
                     torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> new_h,
                     torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> new_cell,
                     torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> input_gate,
                     torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> output_gate,
                     torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> candidate_cell)
{
    const int n = blockIdx.y;
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < gates.size(2)) {
        input_gate[n][c] = sigmoid(gates[n][0][c]);
        output_gate[n][c] = sigmoid(gates[n][1][c]);
        candidate_cell[n][c] = elu(gates[n][2][c]);
        new_cell[n][c] = old_cell[n][c] + candidate_cell[n][c] * input_gate[n][c];
        new_h[n][c] = tanh(new_cell[n][c]) * output_gate[n][c];
    }
}
