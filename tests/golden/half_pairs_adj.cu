// half_pairs_adj: adjoint of half_pairs (half_pairs.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform half_pairs.cu --of y,peak --wrt x,w,shift --assume launch:1d
//
// Call with x and w as they were before half_pairs. Seed adj_y with dJ/dy: it is left
// alone, because half_pairs stores each element of y at most once. Seed adj_peak with
// dJ/dpeak: it is left alone, because half_pairs stores each element of peak at most
// once. dJ/dx is added to adj_x; dJ/dw is added to adj_w; dJ/dshift is added to
// adj_shift. Each addition to adj_x, adj_w and adj_shift rounds to half precision. y
// and peak are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v.x, v.y, u.x, u.y,   reloaded   still in its variable
//   both.x, both.y
//   w[..].x, x[..].x,     reloaded   nothing stores to it
//   w[..].y, x[..].y
//
// How adjoints are added up:
//   adj_x[..].x   +=, one owner       one thread per element
//   adj_w[..].x   +=, one owner       one thread per element
//   adj_x[..].y   +=, one owner       one thread per element
//   adj_w[..].y   +=, one owner       one thread per element
//   adj_shift     reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, launch:1d.

#include <cuda_fp16.h>

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(__half *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, __float2half(value));
    }
}

__global__ void half_pairs_adj(const __half2 *x, __half2 *adj_x,
                               const __half2 *w, __half2 *adj_w,
                               __half2 *y, const __half2 *adj_y,
                               half *peak, const half *adj_peak,
                               half shift, half *adj_shift, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = make_half2(__float2half(nanf("")), __float2half(nanf("")));
        adj_w[0] = make_half2(__float2half(nanf("")), __float2half(nanf("")));
        *adj_shift = __float2half(nanf(""));
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_shift_sum = 0.0f;
    if (i < n) {
        __half2 v = make_half2(__hfma(x[i].x, w[i].x, __float2half(0.5f)),
                               __hfma(x[i].y, w[i].y, __float2half(0.5f)));
        __half2 u = make_half2(__hsub(__hmul(v.x, x[i].x), hexp(w[i].x)),
                               __hsub(__hmul(v.y, x[i].y), hexp(w[i].y)));
        u = make_half2(__hadd(u.x, shift), __hadd(u.y, shift));
        float2 both = make_float2(__half2float(u.x), __half2float(u.y));
        float adj_u_y = 0.0f;
        float adj_u_x = 0.0f;
        float2 adj_both = {};
        if (__half2float(u.x) > __half2float(v.y)) {
            // 16:  peak[i] = __float2half(both.x * both.y)
            float g = __half2float(adj_peak[i]);
            adj_both = make_float2(both.y * g, both.x * g);
        } else {
            // 18:  peak[i] = hsin(u.x) / (__hmul(u.y, u.y) + __float2half(1.0f))
            float g = __half2float(adj_peak[i])
                      / __half2float(__hadd(__hmul(u.y, u.y), __float2half(1.0f)));
            adj_u_x += cosf(__half2float(u.x)) * g;
            adj_u_y -= 2.0f * __half2float(hsin(u.x)) * __half2float(u.y) * g
                       / __half2float(__hadd(__hmul(u.y, u.y), __float2half(1.0f)));
        }

        // 14:  float2 both = __half22float2(u)
        adj_u_y += adj_both.y;
        adj_u_x += adj_both.x;
        float adj_v_y = 0.0f;

        // 13:  y[i] = __hmax2(u, __hneg2(v))
        float g = __half2float(adj_y[i].y);
        if (fmaxf(__half2float(u.y), __half2float(__hneg(v.y))) == __half2float(u.y))
            adj_u_y += g;
        else
            adj_v_y = -g;
        float adj_v_x = 0.0f;
        float g_2 = __half2float(adj_y[i].x);
        if (fmaxf(__half2float(u.x), __half2float(__hneg(v.x))) == __half2float(u.x))
            adj_u_x += g_2;
        else
            adj_v_x = -g_2;

        // 11:  half2 u = v * x[i] - h2exp(w[i])
        adj_v_y += __half2float(x[i].y) * adj_u_y;
        adj_x[i].y = __float2half(__half2float(adj_x[i].y) + __half2float(v.y) * adj_u_y);
        adj_w[i].y = __float2half(__half2float(adj_w[i].y) - expf(__half2float(w[i].y)) * adj_u_y);
        adj_v_x += __half2float(x[i].x) * adj_u_x;
        adj_x[i].x = __float2half(__half2float(adj_x[i].x) + __half2float(v.x) * adj_u_x);
        adj_w[i].x = __float2half(__half2float(adj_w[i].x) - expf(__half2float(w[i].x)) * adj_u_x);

        // 10:  half2 v = __hfma2(x[i], w[i], __float2half2_rn(0.5f))
        adj_x[i].x = __float2half(__half2float(adj_x[i].x) + __half2float(w[i].x) * adj_v_x);
        adj_w[i].x = __float2half(__half2float(adj_w[i].x) + __half2float(x[i].x) * adj_v_x);
        adj_x[i].y = __float2half(__half2float(adj_x[i].y) + __half2float(w[i].y) * adj_v_y);
        adj_w[i].y = __float2half(__half2float(adj_w[i].y) + __half2float(x[i].y) * adj_v_y);
        adj_shift_sum = adj_u_y + adj_u_x;
    }
    block_add(adj_shift, adj_shift_sum);
}
