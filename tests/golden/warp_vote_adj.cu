// warp_vote_adj: adjoint of warp_vote (warp_vote.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_vote.cu --of y --wrt x
//
// Call with x as it was before warp_vote. Seed adj_y with dJ/dy: it is left alone,
// because warp_vote stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 7)         tape_v, a register   line 14 overwrites it
//   s, v (line 16)     reloaded             still in its variable
//   trips of line 16   trips, a register    the loop decides in its iterations when it
//                                           ends
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_vote_adj(const float *x, float *adj_x,
                                         float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    float v = i < n ? x[i] : 0.0f;
    float tape_v = v;
    unsigned int high = __ballot_sync(0xffffffffu, v > 0.5f);
    int rank = __popc(high & ((1u << lane) - 1));
    int any = __any_sync(0xffffffffu, v > 1.8f);
    if (any) {
        float s = v;
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_xor_sync(0xffffffffu, s, d);
        v *= s;
    }
    int any2 = __any_sync(0xffffffffu, v > 3.0f);
    int trips = 0;
    while (any2) {
        v *= 0.5f;
        any2 = __any_sync(0xffffffffu, v > 3.0f);
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_v = 0.0f;
    if (i < n) {
        // 19:  y[i] = v * v * (rank + 1)
        adj_v += 2.0f * v * (rank + 1) * adj_y[i];
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        // 17:  v *= 0.5f
        adj_v *= 0.5f;
    }
    if (any) {
        float s = tape_v;
        for (int d = 16; d > 0; d /= 2)
            s += __shfl_xor_sync(0xffffffffu, s, d);

        // 14:  v *= s
        float adj_s = tape_v * adj_v;
        adj_v *= s;
        for (int d = 1; d <= 16; d *= 2) {
            // 13:  s += __shfl_xor_sync(0xffffffffu, s, d)
            adj_s += __shfl_xor_sync(0xffffffffu, adj_s, d);
        }

        // 11:  float s = v
        adj_v += adj_s;
    }

    // 7:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
