// launched_extent_adj: adjoint of launched_extent (launched_extent.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform launched_extent.cu --of y --wrt x
//
// Call with x as it was before launched_extent. Seed adj_y with dJ/dy: it is left
// alone, because launched_extent stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   ratio       reloaded   still in its variable
//   x[..]       reloaded   nothing stores to it
//   piece[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]       atomicAdd   every block reads the same x[begin + k]
//   adj_piece[..]   atomicAdd   not proved that two threads never meet in piece[k -
//                               begin]
//   adj_piece[..]   atomicAdd   not proved that two threads never meet in piece[k -
//                               begin] and piece[first - begin]
//
// Extra memory: adj_piece lies behind piece in the launch's shared memory;
// launched_extent_adj_shared_bytes(grid, block, shared_bytes, n, m) says how many bytes
// to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// How many bytes of dynamic shared memory the launch gives.
static __device__ unsigned dynamic_shared_bytes()
{
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for piece and adj_piece.
extern "C" size_t launched_extent_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                   int n, int m)
{
    long long count = shared_bytes / sizeof(float);
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void launched_extent_adj(const float *x, float *adj_x,
                                               float *y, const float *adj_y, int n, int m)
{
    extern __shared__ float piece[];
    int piece_size = dynamic_shared_bytes() / (2 * sizeof(float));
    float *adj_piece = piece + piece_size;
    for (int q = threadIdx.x; q < piece_size; q += blockDim.x)
        adj_piece[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    float ratio = (float)n / m;
    int begin = floorf(blockIdx.x * blockDim.x * ratio);
    int end = ceilf((blockIdx.x + 1) * blockDim.x * ratio);
    for (int k = threadIdx.x; k < end - begin; k += blockDim.x)
        piece[k] = begin + k < n ? x[begin + k] * x[begin + k] : 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    // ---- reverse sweep ------------------------------------------------------

    if (i < m) {
        int first = floorf(i * ratio);
        int last = ceilf((i + 1) * ratio);

        // 21:  y[i] = sum / (last - first)
        float adj_sum = adj_y[i] / (last - first);
        for (int k = first; k < last; ++k) {
            // 20:  sum += piece[k - begin] * piece[first - begin]
            atomicAdd(&adj_piece[k - begin], piece[first - begin] * adj_sum);
            atomicAdd(&adj_piece[first - begin], piece[k - begin] * adj_sum);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < end - begin; k += blockDim.x) {
        // 11:  piece[k] = begin + k < n ? x[begin + k] * x[begin + k] : 0.0f
        if (begin + k < n)
            atomicAdd(&adj_x[begin + k], 2.0f * x[begin + k] * adj_piece[k]);
    }
}
