// block_sum_dynamic_adj: adjoint of block_sum_dynamic (block_sum_dynamic.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_sum_dynamic.cu --of y --wrt x
//
// Call with x as it was before block_sum_dynamic. Seed adj_y with dJ/dy: it is left
// alone, because block_sum_dynamic stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]             reloaded             nothing stores to it
//   d (line 9)        tape_d, a register   line 9 overwrites it
//   d (line 9)        inverted             each iteration divides it by 2
//   trips of line 9   trips, a register    the loop decides in its iterations when it
//                                          ends
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_part[..]   +=, by phase    between two barriers one thread per element
//
// Extra memory: adj_part alone lies in the launch's shared memory;
// block_sum_dynamic_adj_shared_bytes(grid, block, shared_bytes, n) says how many bytes
// to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for adj_part.
extern "C" size_t block_sum_dynamic_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                     int n)
{
    long long count = block.x;
    return count > 0 ? (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void block_sum_dynamic_adj(const float *x, float *adj_x,
                                                 float *y, const float *adj_y, int n)
{
    extern __shared__ float adj_part[];
    for (int q = threadIdx.x; q < (int)blockDim.x; q += blockDim.x)
        adj_part[q] = 0.0f;
    __syncthreads();

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int d = blockDim.x / 2;
    int tape_d = d;
    int trips = 0;
    for (; d > 0; d /= 2)
        ++trips;

    // ---- reverse sweep ------------------------------------------------------

    if (t == 0) {
        // 15:  y[blockIdx.x] = part[0]
        adj_part[0] += adj_y[blockIdx.x];
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        int d = tape_d >> trip;
        __syncthreads();
        if (t < d) {
            // 11:  part[t] += part[t + d]
            adj_part[t + d] += adj_part[t];
        }
    }
    __syncthreads();

    // 7:  part[t] = i < n ? x[i] * x[i] : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_part[t];
}
