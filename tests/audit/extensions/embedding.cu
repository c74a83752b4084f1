// Rows of a table by index, scaled, with a row that stands for padding; positions of a row are shared.
#include <ATen/ATen.h>
typedef int64_t index_t;

template <typename scalar_t>
__global__ void embedding_forward(const index_t *__restrict__ indices, const scalar_t *__restrict__ weight,
                                  const scalar_t *__restrict__ scale, scalar_t *__restrict__ out, int tokens,
                                  int width, index_t padding)
{
    for (int token = blockIdx.x * blockDim.y + threadIdx.y; token < tokens; token += gridDim.x * blockDim.y) {
        const index_t row = indices[token];
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            out[token * width + i] = row == padding ? scalar_t(0) : weight[row * width + i] * scale[token];
    }
}

template <typename scalar_t>
__global__ void embedding_backward(const index_t *__restrict__ indices, const scalar_t *__restrict__ weight,
                                   const scalar_t *__restrict__ scale, const scalar_t *__restrict__ grad_out,
                                   scalar_t *__restrict__ grad_weight, scalar_t *__restrict__ grad_scale,
                                   int tokens, int width, index_t padding)
{
    for (int token = blockIdx.x * blockDim.y + threadIdx.y; token < tokens; token += gridDim.x * blockDim.y) {
        const index_t row = indices[token];
        scalar_t sum = 0;
        if (row != padding)
            for (int i = threadIdx.x; i < width; i += blockDim.x) {
                const scalar_t g = grad_out[token * width + i];
                at::native::fastAtomicAdd(grad_weight, row * width + i, index_t(1) << 32, g * scale[token], true);
                sum += g * weight[row * width + i];
            }
        for (int offset = 16; offset > 0; offset >>= 1)
            sum += __shfl_xor_sync(0xffffffff, sum, offset, 32);
        if (threadIdx.x == 0)
            grad_scale[token] = sum;
    }
}
