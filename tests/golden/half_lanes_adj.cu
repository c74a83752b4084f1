// half_lanes_adj: adjoint of half_lanes (half_lanes.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform half_lanes.cu --of y,total --wrt x,w --assume launch:1d
//
// Call with x and w as they were before half_lanes. Seed adj_y with dJ/dy: it is left
// alone, because half_lanes stores each element of y at most once. Seed adj_total with
// dJ/dtotal: it is left alone, because half_lanes only adds to total. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. Each addition to adj_x and adj_w rounds to half
// precision. y and total are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v.x, v.y, s, sum.x,   reloaded   still in its variable
//   sum.y
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_w[..]   atomicAdd       not proved that two threads never meet in w[bin]
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps, launch:1d.

#include <cuda_fp16.h>

#define FULL 0xffffffffu

__global__ void half_lanes_adj(const half *x, half *adj_x,
                               const half *w, half *adj_w,
                               __half2 *y, const __half2 *adj_y,
                               __half2 *total, const __half2 *adj_total, int n)
{
    // For a 1-D launch, as it was declared; rows of whole warps, as the primal exchanges values
    // among them; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1 || blockDim.x % 32 != 0) {
        adj_x[0] = __float2half(nanf(""));
        adj_w[0] = __float2half(nanf(""));
        return;
    }
    int lane = threadIdx.x % 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 v = make_half2(i < n ? x[(long)i * 2] : __float2half(0.0f),
                           i < n ? x[(long)i * 2 + 1] : __float2half(0.0f));
    half s = __float2half(__shfl_down_sync(FULL, __half2float(v.x), 2));
    float adj_v_x = 0.0f;
    float adj_v_y = 0.0f;
    float adj_s = 0.0f;
    if (i < n) {
        int bin = __float2int_rd(__half2float(v.y)) & 3;
        __half2 sum = make_half2(__hadd(__hmul(v.x, v.x), w[bin]),
                                 __hadd(__hmul(v.y, v.y), w[bin]));

        // 16:  atomicAdd(&total[0], sum)
        float adj_sum_y = __half2float(adj_total->y);
        float adj_sum_x = __half2float(adj_total->x);

        // 15:  y[i] = __hmul2(sum, __halves2half2(s, s))
        float g = __half2float(adj_y[i].y);
        adj_sum_y += __half2float(s) * g;
        adj_s = __half2float(sum.y) * g;
        float g_2 = __half2float(adj_y[i].x);
        adj_sum_x += __half2float(s) * g_2;
        adj_s += __half2float(sum.x) * g_2;

        // 14:  half2 sum = v * v + __half2half2(w[bin])
        adj_v_y = 2.0f * __half2float(v.y) * adj_sum_y;
        atomicAdd(&adj_w[bin], __float2half(adj_sum_y + adj_sum_x));
        adj_v_x = 2.0f * __half2float(v.x) * adj_sum_x;
    }

    // 11:  half s = __shfl_down_sync(FULL, v.x, 2)
    float from_below = __shfl_up_sync(FULL, adj_s, 2);
    adj_v_x += (lane >= 2 ? from_below : 0.0f) + (lane + 2 >= 32 ? adj_s : 0.0f);

    // 10:  half2 v = i < n ? reinterpret_cast<const half2 *>(x)[i] : __float2half2_rn(0.0f)
    if (i < n) {
        adj_x[(long)i * 2 + 1] = __float2half(__half2float(adj_x[(long)i * 2 + 1]) + adj_v_y);
        adj_x[(long)i * 2] = __float2half(__half2float(adj_x[(long)i * 2]) + adj_v_x);
    }
}
