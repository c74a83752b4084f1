// bfloat16_layer_adj: adjoint of bfloat16_layer (bfloat16_layer.cu:11).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bfloat16_layer.cu --of y --wrt x,w,bias --assume launch:2d
//
// Call with x, w and bias as they were before bfloat16_layer. Seed adj_y with dJ/dy: it
// is left alone, because bfloat16_layer stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w; dJ/dbias is added to adj_bias. Each addition
// to adj_x, adj_w and adj_bias rounds to half precision. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..], x[..]   reloaded   nothing stores to it
//   v              reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]      atomicAdd   threads that differ in blockIdx.x and threadIdx.x only
//                              read the same x[row * inner + k]
//   adj_w[..]      atomicAdd   threads that differ in blockIdx.y and threadIdx.y only
//                              read the same w[k * columns + column]
//   adj_bias[..]   atomicAdd   threads that differ in blockIdx.y and threadIdx.y only
//                              read the same bias[column]
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, launch:2d.

#include <cuda_bf16.h>

static __device__ float swish_adj(__nv_bfloat16 v, float adj_swish)
{
    float z = __bfloat162float(v);
    // 8:  return __float2bfloat16(z / (1.0f + expf(-z)))
    float g = adj_swish / (1.0f + expf(-z));
    // 7:  float z = __bfloat162float(v)
    return g + z / (1.0f + expf(-z)) * expf(-z) * g;
}

__global__ void bfloat16_layer_adj(const __nv_bfloat16 *x, __nv_bfloat16 *adj_x,
                                   const __nv_bfloat16 *w, __nv_bfloat16 *adj_w,
                                   const __nv_bfloat16 *bias, __nv_bfloat16 *adj_bias,
                                   __nv_bfloat16 *y, const __nv_bfloat16 *adj_y, int rows,
                                   int inner, int columns)
{
    // For a 2-D launch, as it was declared; any other gets NaN.
    if (gridDim.z * blockDim.z != 1) {
        adj_x[0] = __float2bfloat16(nanf(""));
        adj_w[0] = __float2bfloat16(nanf(""));
        adj_bias[0] = __float2bfloat16(nanf(""));
        return;
    }
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < columns && row < rows) {
        // ---- forward sweep ------------------------------------------------------

        float sum = 0.0f;
        for (int k = 0; k < inner; ++k)
            sum += __bfloat162float(x[row * inner + k]) * __bfloat162float(w[k * columns + column]);
        __nv_bfloat16 v = __float2bfloat16(sum);
        v = __hadd(v, bias[column]);

        // ---- reverse sweep ------------------------------------------------------

        // 22:  y[row * columns + column] = swish(v)
        float adj_v = swish_adj(v, __bfloat162float(adj_y[row * columns + column]));
        // 21:  v += bias[column]
        atomicAdd(&adj_bias[column], __float2bfloat16(adj_v));

        // 20:  __nv_bfloat16 v = __float2bfloat16(sum)
        for (int k = 0; k < inner; ++k) {
            // 19:  sum += __bfloat162float(x[row * inner + k]) * __bfloat162float(w[k * columns +
            //      column])
            atomicAdd(&adj_x[row * inner + k],
                      __float2bfloat16(__bfloat162float(w[k * columns + column]) * adj_v));
            atomicAdd(&adj_w[k * columns + column],
                      __float2bfloat16(__bfloat162float(x[row * inner + k]) * adj_v));
        }
    }
}
