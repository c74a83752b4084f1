// softmax_block_adj: adjoint of softmax_block (block_softmax.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_softmax.cu --of p --wrt x
//
// Call with x as it was before softmax_block. Seed adj_p with dJ/dp: it is left alone,
// because softmax_block stores each element of p at most once. dJ/dx is added to adj_x.
// p is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m (line 9)         tape_m[(cols + BLOCK - 1) / BLOCK], global memory   line 10 changes it in
//                                                                          each iteration
//   m (line 10)        recomputed                                          from values at hand, in
//                                                                          the reversed iteration
//   d                  inverted                                            each iteration divides
//                                                                          it by 2
//   trips of line 13   trips, a register                                   the loop decides in its
//                                                                          iterations when it ends
//   part[t]            tape_part[6], registers                             line 15 overwrites it
//   part[t + d]        tape_part_2[6], registers                           line 15 overwrites it
//   m (line 18), s     reloaded                                            still in its variable
//   x[..]              reloaded                                            nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       each thread has elements of its own
//   adj_part[..]   +=, by phase        between two barriers one thread per element
//   adj_part[..]   reduced per block   every thread reads part[0]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of (((long long)cols + BLOCK - 1) / BLOCK) * sizeof(float) bytes
// (tape_m) per thread, in global memory; softmax_block_adj_tape_bytes(grid, block,
// cols) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

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
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t softmax_block_adj_tape_bytes(dim3 grid, dim3 block, int cols)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_m
    bytes += (threads
              * (((long long)cols + BLOCK - 1) / BLOCK > 0 ? ((long long)cols + BLOCK - 1) / BLOCK
                 : 0) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void softmax_block_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                             float *__restrict__ p, const float *__restrict__ adj_p,
                                             int cols, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_m = (float *)(tape + 16) + thread;
    __shared__ float part[BLOCK];
    __shared__ float adj_part[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    float m = -3.4e38f;
    for (int c = t; c < cols; c += BLOCK) {
        tape_m[(c - t) / BLOCK * threads] = m;
        m = fmaxf(m, x[blockIdx.x * cols + c]);
    }
    part[t] = m;
    __syncthreads();
    float tape_part[6];
    float tape_part_2[6];
    int trips = 0;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d) {
            tape_part[trips] = part[t];
            tape_part_2[trips] = part[t + d];
            part[t] = fmaxf(part[t], part[t + d]);
        }
        __syncthreads();
        ++trips;
    }
    m = part[0];
    __syncthreads();

    float s = 0.0f;
    for (int c = t; c < cols; c += BLOCK)
        s += expf(x[blockIdx.x * cols + c] - m);
    part[t] = s;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    s = part[0];

    // ---- reverse sweep ------------------------------------------------------

    float adj_s = 0.0f;
    float adj_m = 0.0f;
    for (int c = t; c < cols; c += BLOCK) {
        // 34:  p[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - m) / s
        float g = adj_p[blockIdx.x * cols + c] / s;
        float g_2 = expf(x[blockIdx.x * cols + c] - m) * g;
        adj_x[blockIdx.x * cols + c] += g_2;
        adj_m -= g_2;
        adj_s -= expf(x[blockIdx.x * cols + c] - m) / s * g;
    }

    // 31:  s = part[0]
    block_add(&adj_part[0], adj_s);
    adj_s = 0.0f;
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        __syncthreads();
        if (t < d) {
            // 28:  part[t] += part[t + d]
            adj_part[t + d] += adj_part[t];
        }
    }
    __syncthreads();

    // 24:  part[t] = s
    adj_s += adj_part[t];
    adj_part[t] = 0.0f;
    for (int c = t; c < cols; c += BLOCK) {
        // 23:  s += expf(x[blockIdx.x * cols + c] - m)
        float g = expf(x[blockIdx.x * cols + c] - m) * adj_s;
        adj_x[blockIdx.x * cols + c] += g;
        adj_m -= g;
    }

    // 18:  m = part[0]
    block_add(&adj_part[0], adj_m);
    adj_m = 0.0f;
    for (int trip = trips - 1; trip >= 0; --trip) {
        int d = (BLOCK / 2) >> trip;
        __syncthreads();
        if (t < d) {
            // 15:  part[t] = fmaxf(part[t], part[t + d])
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

    // 11:  part[t] = m
    adj_m += adj_part[t];
    for (int c = t + (cols - t + 63) / BLOCK * BLOCK - BLOCK; c >= t; c -= BLOCK) {
        float m = tape_m[(c - t) / BLOCK * threads];
        float m_2 = m;
        m_2 = fmaxf(m_2, x[blockIdx.x * cols + c]);

        // 10:  m = fmaxf(m, x[blockIdx.x * cols + c])
        float g = adj_m;
        adj_m = 0.0f;
        if (m_2 == m)
            adj_m += g;
        else
            adj_x[blockIdx.x * cols + c] += g;
    }
}
