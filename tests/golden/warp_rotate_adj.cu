// warp_rotate_adj: adjoint of warp_rotate (warp_rotate.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_rotate.cu --of y --wrt x
//
// Call with x as it was before warp_rotate. Seed adj_y with dJ/dy: it is left alone,
// because warp_rotate stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, ahead, behind,   reloaded   still in its variable
//   mirrored, swapped
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_rotate_adj(const float *x, float *adj_x,
                                           float *y, const float *adj_y, int n, int turn)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0.0f;
    float ahead = __shfl_sync(0xffffffffu, v, (lane + 3) % 32);
    float behind = __shfl_sync(0xffffffffu, v, lane - turn);
    float mirrored = __shfl_sync(0xffffffffu, v, 31 - lane);
    float swapped = __shfl_sync(0xffffffffu, v, lane ^ 1);
    float adj_swapped = 0.0f;
    float adj_mirrored = 0.0f;
    float adj_behind = 0.0f;
    float adj_ahead = 0.0f;
    float adj_v = 0.0f;
    if (i < n) {
        // 13:  y[i] = v * ahead + behind * mirrored + swapped * swapped
        float g = adj_y[i];
        adj_v = ahead * g;
        adj_ahead = v * g;
        adj_behind = mirrored * g;
        adj_mirrored = behind * g;
        adj_swapped = 2.0f * swapped * g;
    }

    // 11:  float swapped = __shfl_sync(0xffffffffu, v, lane ^ 1)
    adj_v += __shfl_sync(0xffffffffu, adj_swapped, lane ^ 1);
    // 10:  float mirrored = __shfl_sync(0xffffffffu, v, 31 - lane)
    adj_v += __shfl_sync(0xffffffffu, adj_mirrored, 31 - lane);
    // 9:  float behind = __shfl_sync(0xffffffffu, v, lane - turn)
    adj_v += __shfl_sync(0xffffffffu, adj_behind, lane + turn);
    // 8:  float ahead = __shfl_sync(0xffffffffu, v, (lane + 3) % 32)
    adj_v += __shfl_sync(0xffffffffu, adj_ahead, lane + 29);
    // 7:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
