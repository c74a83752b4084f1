// s2sad: --of out --wrt in,gain
// A stride in both dimensions; each row has its gain.
__global__ void grid_stride_2d(const float *in, const float *gain, float *out, int width, int height)
{
    const int step_x = gridDim.x * blockDim.x;
    const int step_y = gridDim.y * blockDim.y;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += step_y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += step_x) {
            float v = in[y * width + x];
            v = v / (1.0f + fabsf(v));
            out[y * width + x] = gain[y] * v;
        }
}
