// A block for each row, which keeps x alone. What karpathy/llm.c#282 describes: one shared buffer for the
// maxima of the warps and then for their sums, and a warp stores its sum while another reads the maxima.
#define WARPS 4

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

__global__ void softmax_backward(int width, const float *__restrict__ x, const float *__restrict__ grad_y,
                                 float *__restrict__ grad_x)
{
    __shared__ float shared[WARPS], dots[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x += blockIdx.x * width;
    grad_y += blockIdx.x * width;
    float top = x[0];
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        top = fmaxf(top, x[i]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
    if (lane == 0)
        shared[warp] = top;
    __syncthreads();
    for (int w = 0; w < WARPS; ++w)
        top = fmaxf(top, shared[w]);
    float sum = 0.0f, dot = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        sum += expf(x[i] - top);
        dot += expf(x[i] - top) * grad_y[i];
    }
    sum = warp_sum(sum);
    dot = warp_sum(dot);
    if (lane == 0) {
        shared[warp] = sum;
        dots[warp] = dot;
    }
    __syncthreads();
    sum = dot = 0.0f;
    for (int w = 0; w < WARPS; ++w) {
        sum += shared[w];
        dot += dots[w];
    }
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        grad_x[blockIdx.x * width + i] = expf(x[i] - top) / sum * (grad_y[i] - dot / sum);
}
