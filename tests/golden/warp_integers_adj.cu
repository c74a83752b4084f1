// warp_integers_adj: adjoint of warp_integers (warp_integers.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_integers.cu --of y --wrt x
//
// Call with x and perm as they were before warp_integers. Seed adj_y with dJ/dy: it is
// left alone, because warp_integers stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[next], x[most]
//                           and x[mine]
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_integers_adj(const float *x, float *adj_x, const int *perm,
                                             float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? perm[i] : 0;
    int next = __shfl_down_sync(0xffffffffu, mine, 1);
    int most = __reduce_max_sync(0xffffffffu, mine);
    unsigned int same = __match_any_sync(0xffffffffu, mine % 7);
    if (i < n) {
        // 11:  y[i] = x[next] * x[most] + __popc(same) * x[mine]
        float g = adj_y[i];
        atomicAdd(&adj_x[next], x[most] * g);
        atomicAdd(&adj_x[most], x[next] * g);
        atomicAdd(&adj_x[mine], __popc(same) * g);
    }
}
