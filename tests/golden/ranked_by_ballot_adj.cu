// ranked_by_ballot_adj: adjoint of ranked_by_ballot (ranked_by_ballot.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform ranked_by_ballot.cu --of y --wrt x
//
// Call with x as it was before ranked_by_ballot. Seed adj_y with dJ/dy: it is left
// alone, because ranked_by_ballot stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v          reloaded   still in its variable
//   kept[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_kept[..]   atomicAdd       not proved that two threads never meet in
//                                  kept[threadIdx.x] and kept[32 * warp]
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps, a condition on floating values may be decided twice, and a near-tie
// either way.

extern "C" __global__ void ranked_by_ballot_adj(const float *x, float *adj_x,
                                                float *y, const float *adj_y, float least, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float kept[128];
    __shared__ float adj_kept[128];
    for (int q = threadIdx.x; q < 128; q += blockDim.x)
        adj_kept[q] = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    float v = i < n ? x[i] : least;
    unsigned int keep = __ballot_sync(0xffffffffu, v > least);
    if (v > least) {
        int rank = __popc(keep & ((1u << lane) - 1u));
        kept[32 * warp + rank] = v * sinf(v);
    }
    __syncwarp();
    if (lane < __popc(keep) && i < n) {
        // 17:  y[i] = kept[threadIdx.x] * kept[32 * warp]
        float g = adj_y[i];
        atomicAdd(&adj_kept[threadIdx.x], kept[32 * warp] * g);
        atomicAdd(&adj_kept[32 * warp], kept[threadIdx.x] * g);
    }
    __syncwarp();
    float adj_v = 0.0f;
    if (v > least) {
        int rank = __popc(keep & ((1u << lane) - 1u));
        // 13:  kept[32 * warp + rank] = v * sinf(v)
        adj_v = (sinf(v) + v * cosf(v)) * adj_kept[32 * warp + rank];
    }

    // 9:  float v = i < n ? x[i] : least
    if (i < n)
        adj_x[i] += adj_v;
}
