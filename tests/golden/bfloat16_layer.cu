// s2sad: --of y --wrt x,w,bias --assume launch:2d
// A layer in bfloat16 that sums in float; its activation is a function in bfloat16.
#include <cuda_bf16.h>

__device__ __nv_bfloat16 swish(__nv_bfloat16 v)
{
    float z = __bfloat162float(v);
    return __float2bfloat16(z / (1.0f + expf(-z)));
}

__global__ void bfloat16_layer(const __nv_bfloat16 *x, const __nv_bfloat16 *w, const __nv_bfloat16 *bias,
                               __nv_bfloat16 *y, int rows, int inner, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < columns && row < rows) {
        float sum = 0.0f;
        for (int k = 0; k < inner; ++k)
            sum += __bfloat162float(x[row * inner + k]) * __bfloat162float(w[k * columns + column]);
        __nv_bfloat16 v = __float2bfloat16(sum);
        v += bias[column];
        y[row * columns + column] = swish(v);
    }
}
