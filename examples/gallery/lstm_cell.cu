// Neural networks: the pointwise part of an LSTM cell with peepholes, behind the matrix products.
// After F. Gers, N. Schraudolph and J. Schmidhuber, "Learning precise timing with LSTM recurrent networks",
// JMLR 3 (2002); laid out as in the C++/CUDA extensions tutorial of PyTorch.
#include <cmath>

template <typename scalar_t> __device__ __forceinline__ scalar_t sigmoid(scalar_t z)
{
    return scalar_t(1) / (scalar_t(1) + std::exp(-z));
}

// s2sad: --of h,c --wrt gates,c_prev,peep
template <typename scalar_t>
__global__ void lstm_cell_kernel(const scalar_t *__restrict__ gates,  // batch x 4 x hidden: i, f, g, o
                                 const scalar_t *__restrict__ c_prev, const scalar_t *__restrict__ peep,
                                 scalar_t *__restrict__ h, scalar_t *__restrict__ c, int hidden)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int batch = blockIdx.y;
    if (column >= hidden)
        return;

    const int index = batch * hidden + column;
    const scalar_t *gate = gates + batch * 4 * hidden + column;
    const auto before = c_prev[index];
    const auto in = sigmoid(gate[0] + peep[column] * before);
    const auto forget = sigmoid(gate[hidden] + peep[hidden + column] * before);
    const auto candidate = std::tanh(gate[2 * hidden]);
    const auto after = forget * before + in * candidate;
    const auto out = sigmoid(gate[3 * hidden] + peep[2 * hidden + column] * after);
    c[index] = after;
    h[index] = out * std::tanh(after);
}

template __global__ void lstm_cell_kernel<float>(const float *, const float *, const float *, float *, float *, int);
