// Bilinear samples of an image at given places, with zeros or the border outside: a template argument says.
#include <torch/extension.h>

enum class Padding { Zeros, Border };

template <typename scalar_t, Padding padding>
static __device__ __forceinline__ scalar_t place(scalar_t coordinate, int size, scalar_t *slope)
{
    scalar_t at = ((coordinate + 1) * size - 1) / 2;
    *slope = static_cast<scalar_t>(size) / 2;
    if (padding == Padding::Border) {
        if (at <= 0) {
            at = 0;
            *slope = 0;
        } else if (at >= size - 1) {
            at = size - 1;
            *slope = 0;
        }
    }
    return at;
}

static __device__ __forceinline__ bool within(int y, int x, int height, int width)
{
    return y >= 0 && y < height && x >= 0 && x < width;
}

template <typename scalar_t, Padding padding>
__global__ void sample_forward(const int n, const torch::PackedTensorAccessor64<scalar_t, 3> input,
                               const torch::PackedTensorAccessor64<scalar_t, 2> grid,
                               torch::PackedTensorAccessor64<scalar_t, 2> output)
{
    const int height = input.size(1), width = input.size(2);
    CUDA_1D_KERNEL_LOOP(i, n)
    {
        scalar_t ignored;
        const scalar_t x = place<scalar_t, padding>(grid[i][0], width, &ignored);
        const scalar_t y = place<scalar_t, padding>(grid[i][1], height, &ignored);
        const int x0 = static_cast<int>(::floor(x)), y0 = static_cast<int>(::floor(y));
        for (int c = 0; c < input.size(0); ++c) {
            scalar_t sum = 0;
            for (int dy = 0; dy < 2; ++dy)
                for (int dx = 0; dx < 2; ++dx)
                    if (within(y0 + dy, x0 + dx, height, width)) {
                        const scalar_t wx = dx ? x - x0 : x0 + 1 - x, wy = dy ? y - y0 : y0 + 1 - y;
                        sum += wx * wy * input[c][y0 + dy][x0 + dx];
                    }
            output[c][i] = sum;
        }
    }
}

template <typename scalar_t, Padding padding>
__global__ void sample_backward(const int n, const torch::PackedTensorAccessor64<scalar_t, 2> grad_output,
                                const torch::PackedTensorAccessor64<scalar_t, 3> input,
                                const torch::PackedTensorAccessor64<scalar_t, 2> grid,
                                torch::PackedTensorAccessor64<scalar_t, 3> grad_input,
                                torch::PackedTensorAccessor64<scalar_t, 2> grad_grid)
{
    const int height = input.size(1), width = input.size(2);
    CUDA_1D_KERNEL_LOOP(i, n)
    {
        scalar_t slope_x, slope_y;
        const scalar_t x = place<scalar_t, padding>(grid[i][0], width, &slope_x);
        const scalar_t y = place<scalar_t, padding>(grid[i][1], height, &slope_y);
        const int x0 = static_cast<int>(::floor(x)), y0 = static_cast<int>(::floor(y));
        scalar_t gx = 0, gy = 0;
        for (int c = 0; c < input.size(0); ++c) {
            const scalar_t g = grad_output[c][i];
            for (int dy = 0; dy < 2; ++dy)
                for (int dx = 0; dx < 2; ++dx)
                    if (within(y0 + dy, x0 + dx, height, width)) {
                        const scalar_t wx = dx ? x - x0 : x0 + 1 - x, wy = dy ? y - y0 : y0 + 1 - y;
                        atomicAdd(&grad_input[c][y0 + dy][x0 + dx], wx * wy * g);
                        const scalar_t pixel = input[c][y0 + dy][x0 + dx];
                        gx += (dx ? 1 : -1) * wy * pixel * g;
                        gy += (dy ? 1 : -1) * wx * pixel * g;
                    }
        }
        grad_grid[i][0] = gx * slope_x;
        grad_grid[i][1] = gy * slope_y;
    }
}
