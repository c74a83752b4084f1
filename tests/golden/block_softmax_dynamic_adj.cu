// block_softmax_dynamic_adj: adjoint of block_softmax_dynamic (block_softmax_dynamic.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_softmax_dynamic.cu --of y --wrt x
//
// Call with x as it was before block_softmax_dynamic. Seed adj_y with dJ/dy: it is left
// alone, because block_softmax_dynamic stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   d (line 11)                tape_d, a register              line 11 overwrites it
//   d (line 11), d (line 22)   inverted                        each iteration divides
//                                                              it by 2
//   trips of line 11,          trips, a register               the loop decides in its
//                                                              iterations when it ends
//   trips of line 22
//   part[t]                    tape_part[32], local memory     line 13 overwrites it
//   part[t + d]                tape_part_2[32], local memory   line 13 overwrites it
//   e                          reloaded                        still in its variable
//   d (line 22)                tape_d_2, a register            line 22 overwrites it
//   part[..]                   reloaded                        no later store goes to
//                                                              it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       one thread per element
//   adj_part[..]   +=, by phase        between two barriers one thread per element
//   adj_part[..]   reduced per block   every thread reads part[0]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: adj_part lies behind part in the launch's shared memory;
// block_softmax_dynamic_adj_shared_bytes(grid, block, shared_bytes, columns) says how
// many bytes to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        value += thread + d < threads ? above : 0.0f;  // the last warp may be short
    }
    __syncthreads();  // the sums of the last call have been read
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for part and adj_part.
extern "C" size_t block_softmax_dynamic_adj_shared_bytes(
        dim3 grid, dim3 block, size_t shared_bytes, int columns)
{
    long long count = block.x;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void block_softmax_dynamic_adj(const float *x, float *adj_x,
                                                     float *y, const float *adj_y, int columns)
{
    extern __shared__ float part[];
    float *adj_part = part + blockDim.x;
    for (int q = threadIdx.x; q < (int)blockDim.x; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    float v = t < columns ? x[blockIdx.x * columns + t] : -3.402823466e+38f;

    part[t] = v;
    __syncthreads();
    int d = blockDim.x / 2;
    int tape_d = d;
    float tape_part[32];
    float tape_part_2[32];
    int trips = 0;
    for (; d > 0; d /= 2) {
        if (t < d) {
            tape_part[trips] = part[t];
            tape_part_2[trips] = part[t + d];
            part[t] = fmaxf(part[t], part[t + d]);
        }
        __syncthreads();
        ++trips;
    }
    float top = part[0];
    __syncthreads();

    float e = expf(v - top);
    part[t] = e;
    __syncthreads();
    int d_2 = blockDim.x / 2;
    int tape_d_2 = d_2;
    int trips_2 = 0;
    for (; d_2 > 0; d_2 /= 2) {
        if (t < d_2)
            part[t] += part[t + d_2];
        __syncthreads();
        ++trips_2;
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_e = 0.0f;
    float adj_part_0 = 0.0f;
    if (t < columns) {
        // 28:  y[blockIdx.x * columns + t] = e / part[0]
        float g = adj_y[blockIdx.x * columns + t] / part[0];
        adj_e += g;
        adj_part_0 = -(e / part[0] * g);
    }
    block_add(&adj_part[0], adj_part_0);
    for (int trip = trips_2 - 1; trip >= 0; --trip) {
        int d = tape_d_2 >> trip;
        __syncthreads();
        if (t < d) {
            // 24:  part[t] += part[t + d]
            adj_part[t + d] += adj_part[t];
        }
    }
    __syncthreads();

    // 20:  part[t] = e
    adj_e += adj_part[t];
    adj_part[t] = 0.0f;

    // 19:  float e = expf(v - top)
    float g = e * adj_e;
    float adj_v = g;

    // 16:  float top = part[0]
    block_add(&adj_part[0], -g);
    for (int trip = trips - 1; trip >= 0; --trip) {
        int d = tape_d >> trip;
        __syncthreads();
        if (t < d) {
            // 13:  part[t] = fmaxf(part[t], part[t + d])
            float g = adj_part[t];
            adj_part[t] = 0.0f;
            float part_was = tape_part[trip];
            if (fmaxf(part_was, tape_part_2[trip]) == part_was)
                adj_part[t] += g;
            else
                adj_part[t + d] += g;
        }
    }
    __syncthreads();

    // 9:  part[t] = v
    adj_v += adj_part[t];
    // 7:  float v = t < columns ? x[blockIdx.x * columns + t] : -3.402823466e+38f
    if (t < columns)
        adj_x[blockIdx.x * columns + t] += adj_v;
}
