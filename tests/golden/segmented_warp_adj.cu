// segmented_warp_adj: adjoint of segmented_warp (segmented_warp.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform segmented_warp.cu --of sums --wrt x,w --assume launch:1d
//
// Call with x, w and key as they were before segmented_warp. Seed adj_sums with
// dJ/dsums: it is left alone, because segmented_warp only adds to sums. dJ/dx is added
// to adj_x; dJ/dw is added to adj_w. sums is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..], x[..]   reloaded     nothing stores to it
//   v              reloaded     still in its variable
//   whose          recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_w[..]   atomicAdd       key may repeat
//
// Assumed: blockDim.x is a multiple of 32, arrays don't overlap, no index wraps,
// launch:1d.

#define ALL 0xffffffffu

extern "C" __global__ void segmented_warp_adj(const float *x, float *adj_x,
                                              const float *w, float *adj_w, const int *key,
                                              float *sums, const float *adj_sums, int n)
{
    // For a 1-D launch, as it was declared; rows of whole warps, as the primal exchanges values
    // among them; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1 || blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        adj_w[0] = nanf("");
        return;
    }

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int mine = i < n ? key[i] : -1;
    float v = i < n ? x[i] * w[mine] : 0.0f;
    for (int d = 1; d < 32; d *= 2) {
        float other = __shfl_down_sync(ALL, v, d);
        int whose = __shfl_down_sync(ALL, mine, d);
        if (lane + d < 32 && whose == mine)
            v += other;
    }
    int before = __shfl_up_sync(ALL, mine, 1);

    // ---- reverse sweep ------------------------------------------------------

    float adj_v = 0.0f;
    if (mine >= 0 && (lane == 0 || before != mine)) {
        // 18:  atomicAdd(&sums[mine], v * v)
        adj_v = 2.0f * v * adj_sums[mine];
    }
    for (int d = 16; d > 0; d /= 2) {
        int whose = __shfl_down_sync(ALL, mine, d);
        float adj_other = 0.0f;
        if (lane + d < 32 && whose == mine) {
            // 14:  v += other
            adj_other = adj_v;
        }

        // 11:  float other = __shfl_down_sync(ALL, v, d)
        float from_below = __shfl_up_sync(ALL, adj_other, d);
        adj_v += (lane >= d ? from_below : 0.0f) + (lane + d >= 32 ? adj_other : 0.0f);
    }

    // 9:  float v = i < n ? x[i] * w[mine] : 0.0f
    if (i < n) {
        adj_x[i] += w[mine] * adj_v;
        atomicAdd(&adj_w[mine], x[i] * adj_v);
    }
}
