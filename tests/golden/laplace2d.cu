// s2sad: --of out --wrt in,source
// Five points in two dimensions, with the border held.
#define IDX(r, c) ((r) * width + (c))

__global__ void laplace2d(const float *__restrict__ in, const float *__restrict__ source,
                          float *__restrict__ out, int width, int height, float weight)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < width && r < height) {
        if (c > 0 && c < width - 1 && r > 0 && r < height - 1) {
            float sum = in[IDX(r - 1, c)] + in[IDX(r + 1, c)] + in[IDX(r, c - 1)] + in[IDX(r, c + 1)];
            out[IDX(r, c)] = (1.0f - weight) * in[IDX(r, c)] + weight * (0.25f * sum - source[IDX(r, c)]);
        } else {
            out[IDX(r, c)] = in[IDX(r, c)];
        }
    }
}
