// s2sad: --of out --wrt x
// Planes of pixels, which threads stride through: neither of the index's two strides divides the other.
__global__ void planes_grid_stride(const float *x, float *out, int channels, int pixels)
{
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < pixels; index += blockDim.x * gridDim.x)
        for (int c = 0; c < channels; ++c)
            out[c * pixels + index] = sinf(x[c * pixels + index]);
}
