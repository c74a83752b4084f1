// Image warping: an image sampled where a flow field points, bilinear, zero outside.
// After M. Jaderberg et al., "Spatial Transformer Networks" (2015), in the style of PyTorch's grid samplers.

#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

template <typename scalar_t>
__device__ __forceinline__ scalar_t bilinear(const scalar_t *__restrict__ image, int height, int width, int channels,
                                             scalar_t y, scalar_t x)
{
    const int y0 = static_cast<int>(floor(y)), x0 = static_cast<int>(floor(x));
    const scalar_t fy = y - y0, fx = x - x0;
    scalar_t sum = 0;
#pragma unroll
    for (int dy = 0; dy < 2; ++dy)
#pragma unroll
        for (int dx = 0; dx < 2; ++dx) {
            const int yy = y0 + dy, xx = x0 + dx;
            if (yy < 0 || yy >= height || xx < 0 || xx >= width)
                continue;
            const scalar_t wy = dy ? fy : 1 - fy;
            const scalar_t wx = dx ? fx : 1 - fx;
            sum += wy * wx * image[(yy * width + xx) * channels];
        }
    return sum;
}

// s2sad: --of out --wrt image,flow
template <typename scalar_t>
__global__ void flow_warp_kernel(const scalar_t *__restrict__ image,  // height x width x channels
                                 const scalar_t *__restrict__ flow,   // height x width x 2
                                 scalar_t *__restrict__ out, const int channels, const int height, const int width)
{
    const int pixels = height * width;
    CUDA_KERNEL_LOOP(index, pixels)
    {
        const int x = index % width, y = index / width;
        const scalar_t to_x = x + flow[2 * index];
        const scalar_t to_y = y + flow[2 * index + 1];
        for (int c = 0; c < channels; ++c)
            out[index * channels + c] = bilinear(image + c, height, width, channels, to_y, to_x);
    }
}

template __global__ void flow_warp_kernel<float>(const float *, const float *, float *, int, int, int);
