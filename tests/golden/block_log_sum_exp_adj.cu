// block_log_sum_exp_adj: adjoint of block_log_sum_exp (block_log_sum_exp.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_log_sum_exp.cu --of loss --wrt logits
//
// Call with logits and target as they were before block_log_sum_exp. Seed adj_loss with
// dJ/dloss: it is left alone, because block_log_sum_exp stores each element of loss at
// most once. dJ/dlogits is added to adj_logits. loss is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m (line 11)              tape_m[(classes + BLOCK - 1) / BLOCK], global memory   line 12 changes it in
//                                                                                   each iteration
//   m (line 12)              recomputed                                             from values at hand, in
//                                                                                   the reversed iteration
//   d                        inverted                                               each iteration divides
//                                                                                   it by 2
//   trips of line 15         trips, a register                                      the loop decides in its
//                                                                                   iterations when it ends
//   part[t]                  tape_part[5], registers                                line 17 overwrites it
//   part[t + d]              tape_part_2[5], registers                              line 17 overwrites it
//   m (line 20)              reloaded                                               still in its variable
//   logits[..], target[..]   reloaded                                               nothing stores to it
//   part[..]                 reloaded                                               no later store goes to
//                                                                                   it
//
// How adjoints are added up:
//   adj_logits[..]   atomicAdd           stretches given by target may overlap
//   adj_part[..]     +=, by phase        between two barriers one thread per element
//   adj_part[..]     reduced per block   every thread reads part[0]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of (((long long)classes + BLOCK - 1) / BLOCK) * sizeof(float)
// bytes (tape_m) per thread, in global memory; block_log_sum_exp_adj_tape_bytes(grid,
// block, classes) says how many in all.
//
// Assumed: classes >= 0, the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

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
extern "C" size_t block_log_sum_exp_adj_tape_bytes(dim3 grid, dim3 block, int classes)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_m
    bytes += (threads
              * (((long long)classes + BLOCK - 1) / BLOCK > 0
                 ? ((long long)classes + BLOCK - 1) / BLOCK : 0) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void block_log_sum_exp_adj(const float *__restrict__ logits,
                                                 float *__restrict__ adj_logits,
                                                 const int *__restrict__ target,
                                                 float *__restrict__ loss,
                                                 const float *__restrict__ adj_loss, int classes,
                                                 char *tape)
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
    int row = blockIdx.x * classes;
    float m = -1e30f;
    for (int c = t; c < classes; c += BLOCK) {
        tape_m[(c - t) / BLOCK * threads] = m;
        m = fmaxf(m, logits[row + c]);
    }
    part[t] = m;
    __syncthreads();
    float tape_part[5];
    float tape_part_2[5];
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
    float sum = 0.0f;
    for (int c = t; c < classes; c += BLOCK)
        sum += expf(logits[row + c] - m);
    part[t] = sum;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_m = 0.0f;
    if (t == 0) {
        // 33:  loss[blockIdx.x] = m + logf(part[0]) - logits[row + target[blockIdx.x]]
        float g = adj_loss[blockIdx.x];
        adj_m += g;
        adj_part[0] += g / part[0];
        atomicAdd(&adj_logits[row + target[blockIdx.x]], -g);
    }
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        __syncthreads();
        if (t < d) {
            // 29:  part[t] += part[t + d]
            adj_part[t + d] += adj_part[t];
        }
    }
    __syncthreads();

    // 25:  part[t] = sum
    float adj_sum = adj_part[t];
    adj_part[t] = 0.0f;
    for (int c = t; c < classes; c += BLOCK) {
        // 24:  sum += expf(logits[row + c] - m)
        float g = expf(logits[row + c] - m) * adj_sum;
        atomicAdd(&adj_logits[row + c], g);
        adj_m -= g;
    }

    // 20:  m = part[0]
    block_add(&adj_part[0], adj_m);
    adj_m = 0.0f;
    for (int trip = trips - 1; trip >= 0; --trip) {
        int d = (BLOCK / 2) >> trip;
        __syncthreads();
        if (t < d) {
            // 17:  part[t] = fmaxf(part[t], part[t + d])
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

    // 13:  part[t] = m
    adj_m += adj_part[t];
    for (int c = t + (classes - t + 31) / BLOCK * BLOCK - BLOCK; c >= t; c -= BLOCK) {
        float m = tape_m[(c - t) / BLOCK * threads];
        float m_2 = m;
        m_2 = fmaxf(m_2, logits[row + c]);

        // 12:  m = fmaxf(m, logits[row + c])
        float g = adj_m;
        adj_m = 0.0f;
        if (m_2 == m)
            adj_m += g;
        else
            atomicAdd(&adj_logits[row + c], g);
    }
}
