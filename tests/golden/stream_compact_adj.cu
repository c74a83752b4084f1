// stream_compact_adj: adjoint of stream_compact (stream_compact.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stream_compact.cu --of kept --wrt x,w --mode split --assume injective:kept --assume launch:1d
//
// First launch stream_compact_fwd, with the same grid, block and tape: it does what
// stream_compact does, and records. Call with x and w as they were before
// stream_compact. Seed adj_kept with dJ/dkept: it is left alone, because stream_compact
// stores each element of kept at most once. dJ/dx is added to adj_x; dJ/dw is added to
// adj_w. kept and count are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i              recomputed                 from values at hand
//   slot           tape_slot, global memory   an atomic returned it, and only the
//                                             forward kernel runs that
//   x[..], w[..]   reloaded                   nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]   +=, one owner   one thread per element
//   adj_x[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Extra memory: a tape of sizeof(int) bytes (tape_slot) per thread, in global memory;
// stream_compact_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, injective:kept,
// launch:1d.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t stream_compact_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(int) + 15) / 16 * 16;  // tape_slot
    return bytes;
}
#endif

extern "C" __global__ void stream_compact_fwd(const float *__restrict__ x,
                                              const float *__restrict__ w, float *kept, int *count,
                                              int n, char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *tape_slot = (int *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int slot = atomicAdd(&count[0], 1);
        *tape_slot = slot;
        kept[slot] = w[i] * sqrtf(x[i]);
    }
}

extern "C" __global__ void stream_compact_adj(const float *__restrict__ x,
                                              float *__restrict__ adj_x,
                                              const float *__restrict__ w,
                                              float *__restrict__ adj_w,
                                              float *kept, const float *adj_kept, int *count, int n,
                                              char *tape)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = nanf("");
        adj_w[0] = nanf("");
        return;
    }
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int *tape_slot = (int *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        // 9:  kept[slot] = w[i] * sqrtf(x[i])
        float g = adj_kept[*tape_slot];
        adj_w[i] += sqrtf(x[i]) * g;
        float g_2 = w[i] * g;
        if (g_2 != 0.0f)
            adj_x[i] += 0.5f * g_2 * rsqrtf(x[i]);
    }
}
