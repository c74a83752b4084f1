// The backward of edges, by hand.
extern "C" __global__ void edges_back(const float *in, const float *grad_out, float *grad_in, int width, int height,
                                      int mode)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    float s = 4.0f * in[r * width + c];
    if (c > 0)
        s -= in[r * width + c - 1];
    else if (mode == 1)
        s -= in[r * width + width - 1];
    else if (mode == 7)
        s -= 2.0f * in[r * width];
    if (c + 1 < width)
        s -= in[r * width + c + 1];
    else if (mode == 1)
        s -= in[r * width];
    if (r > 0)
        s -= in[(r - 1) * width + c];
    if (r + 1 < height)
        s -= in[(r + 1) * width + c];
    float g = 2.0f * s * grad_out[r * width + c];
    atomicAdd(&grad_in[r * width + c], 4.0f * g);
    if (c > 0)
        atomicAdd(&grad_in[r * width + c - 1], -g);
    else if (mode == 1)
        atomicAdd(&grad_in[r * width + width - 1], -g);
    else if (mode == 7)
        atomicAdd(&grad_in[r * width], -2.0f * g);
    if (c + 1 < width)
        atomicAdd(&grad_in[r * width + c + 1], -g);
    else if (mode == 1)
        atomicAdd(&grad_in[r * width], -g);
    if (r > 0)
        atomicAdd(&grad_in[(r - 1) * width + c], -g);
    if (r + 1 < height)
        atomicAdd(&grad_in[(r + 1) * width + c], -g);
}
