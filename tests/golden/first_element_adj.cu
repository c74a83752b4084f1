// first_element_adj: adjoint of first_element (first_element.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform first_element.cu --of u --wrt u,a
//
// Call with u and a as they were before first_element. adj_u comes in as dJ/du after
// first_element and goes out as dJ/du before it, element by element. dJ/da is added to
// adj_a. The content of u afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   u[r * length + k]   tape_u[length], global memory   line 9 overwrites it
//   a[..]               reloaded                        nothing stores to it
//
// How adjoints are added up:
//   adj_a[..]   reduced per block   every thread reads the same a[k]
//   adj_u[..]   +=, one owner       each thread has elements of its own
//
// Extra memory: a tape of length * sizeof(double) bytes (tape_u) per thread, in global
// memory; first_element_adj_tape_bytes(grid, block, rows, length) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t first_element_adj_tape_bytes(dim3 grid, dim3 block, int rows, int length)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (length > 0 ? length : 0) * sizeof(double) + 15) / 16 * 16;  // tape_u
    return bytes;
}
#endif

extern "C" __global__ void first_element_adj(double *u, double *adj_u,
                                             const double *a, double *adj_a, int rows, int length,
                                             char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_u = (double *)(tape + 16) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        // ---- forward sweep ------------------------------------------------------

        for (int k = 0; k < length; ++k) {
            tape_u[k * threads] = u[r * length + k];
            u[r * length + k] = a[k] * u[r * length + k] + 0.5 * u[r * length];
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int k = length - 1; k >= 0; --k) {
        double adj_a_sum = 0.0;
        if (r < rows) {
            // 9:  u[r * length + k] = a[k] * u[r * length + k] + 0.5 * u[r * length]
            double g = adj_u[r * length + k];
            adj_a_sum = tape_u[k * threads] * g;
            adj_u[r * length + k] = a[k] * g;
            adj_u[r * length] += 0.5 * g;
        }
        block_add(&adj_a[k], adj_a_sum);
    }
}
