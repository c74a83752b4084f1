// Each texel has its own three numbers.
__global__ void paint_backward(int pixels, int texels, const float *__restrict__ place,
                               const float *__restrict__ centre, const float *__restrict__ grad_colour,
                               float *__restrict__ grad_texture)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    for (int j = 0; j < texels; ++j) {
        float d = place[i] - centre[j], weight = expf(-d * d);
        for (int k = 0; k < 3; ++k)
            atomicAdd(&grad_texture[3 * j + k], weight * grad_colour[3 * i + k]);
    }
}
