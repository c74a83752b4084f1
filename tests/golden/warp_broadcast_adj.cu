// warp_broadcast_adj: adjoint of warp_broadcast (warp_broadcast.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_broadcast.cu --of y --wrt x
//
// Call with x as it was before warp_broadcast. Seed adj_y with dJ/dy: it is left alone,
// because warp_broadcast stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, first, scaled, chosen   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_broadcast_adj(const float *x, float *adj_x,
                                              float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int lane = threadIdx.x % 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    float first = __shfl_sync(0xffffffffu, v, 0);
    float scaled = 0.5f * __shfl_sync(0xffffffffu, v * v, 31) + first;
    float chosen = __shfl_sync(0xffffffffu, sinf(v), blockIdx.x % 32);
    float adj_chosen = 0.0f;
    float adj_scaled = 0.0f;
    float adj_v = 0.0f;
    float adj_first = 0.0f;
    if (i < n) {
        // 11:  y[i] = first * v + scaled * chosen
        float g = adj_y[i];
        adj_first = v * g;
        adj_v += first * g;
        adj_scaled = chosen * g;
        adj_chosen = scaled * g;
    }

    // 9:  float chosen = __shfl_sync(0xffffffffu, sinf(v), blockIdx.x % 32)
    float total = adj_chosen;
    for (int d = 16; d > 0; d /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, d);
    if (lane == ((int)(blockIdx.x % 32) & 31))
        adj_v += cosf(v) * total;

    // 8:  float scaled = 0.5f * __shfl_sync(0xffffffffu, v * v, 31) + first
    adj_first += adj_scaled;
    float total_2 = 0.5f * adj_scaled;
    for (int d = 16; d > 0; d /= 2)
        total_2 += __shfl_xor_sync(0xffffffffu, total_2, d);
    if (lane == 31)
        adj_v += 2.0f * v * total_2;

    // 7:  float first = __shfl_sync(0xffffffffu, v, 0)
    float total_3 = adj_first;
    for (int d = 16; d > 0; d /= 2)
        total_3 += __shfl_xor_sync(0xffffffffu, total_3, d);
    if (lane == 0)
        adj_v += total_3;

    // 6:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
