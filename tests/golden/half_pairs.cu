// s2sad: --of y,peak --wrt x,w,shift --assume launch:1d
// Two numbers at a time, by functions and by operators; each has its own adjoint.
#include <cuda_fp16.h>

__global__ void half_pairs(const half2 *x, const half2 *w, half2 *y, half *peak, half shift, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    half2 v = __hfma2(x[i], w[i], __float2half2_rn(0.5f));
    half2 u = v * x[i] - h2exp(w[i]);
    u += __half2half2(shift);
    y[i] = __hmax2(u, __hneg2(v));
    float2 both = __half22float2(u);
    if (__hgt(__low2half(u), __high2half(v)))
        peak[i] = __float2half(both.x * both.y);
    else
        peak[i] = hsin(u.x) / (__hmul(u.y, u.y) + __float2half(1.0f));
}
