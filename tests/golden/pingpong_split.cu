// pingpong_adj: adjoint of pingpong (pingpong.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform pingpong.cu --of a,b --wrt a,b,k --mode split
//
// First launch pingpong_fwd, with the same grid, block and tape: it does what pingpong
// does, and records. Call with k as it was before pingpong. adj_a comes in as dJ/da
// after pingpong and goes out as dJ/da before it, element by element. adj_b comes in as
// dJ/db after pingpong and goes out as dJ/db before it, element by element. dJ/dk is
// added to adj_k. a and b are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   r                                     recomputed                              from values at hand
//   a[r * cols + (c + 1) % cols]          tape_a[rounds][cols], global memory     line 12 overwrites it
//   k[..]                                 reloaded                                nothing stores to it
//   b[r * cols + (c + cols - 1) % cols]   tape_b[rounds][cols], global memory     line 10 overwrites it
//   b[r * cols + c]                       tape_b_2[rounds][cols], global memory   line 10 overwrites it
//
// How adjoints are added up:
//   adj_a[..]   +=, one owner       each thread has elements of its own
//   adj_k[..]   reduced per block   every thread reads the same k[c]
//   adj_b[..]   +=, one owner       each thread has elements of its own
//
// Extra memory: a tape of ((long long)rounds * cols) * sizeof(double) bytes (tape_a)
// and ((long long)rounds * cols) * sizeof(double) bytes (tape_b) and ((long long)rounds
// * cols) * sizeof(double) bytes (tape_b_2) per thread, in global memory;
// pingpong_adj_tape_bytes(grid, block, rows, cols, rounds) says how many in all.
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
extern "C" size_t pingpong_adj_tape_bytes(dim3 grid, dim3 block, int rows, int cols, int rounds)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_a
    bytes += (threads * ((long long)(rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0))
              * sizeof(double) + 15) / 16 * 16;
    // tape_b
    bytes += (threads * ((long long)(rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0))
              * sizeof(double) + 15) / 16 * 16;
    // tape_b_2
    bytes += (threads * ((long long)(rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0))
              * sizeof(double) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void pingpong_fwd(double *a, double *b, const double *k, int rows, int cols,
                                        int rounds, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_a = (double *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0) * sizeof(double) + 15) / 16
          * 16;
    double *tape_b = (double *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0) * sizeof(double) + 15) / 16
          * 16;
    double *tape_b_2 = (double *)(tape + at) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    for (int s = 0; s < rounds; ++s) {
        for (int c = 0; c < cols; ++c) {
            tape_a[((size_t)s * cols + c) * threads] = a[r * cols + (c + 1) % cols];
            b[r * cols + c] = a[r * cols + c] + 0.1 * b[r * cols + c]
                              + k[c] * sin(a[r * cols + (c + 1) % cols]);
        }
        for (int c = 0; c < cols; ++c) {
            tape_b[((size_t)s * cols + c) * threads] = b[r * cols + (c + cols - 1) % cols];
            tape_b_2[((size_t)s * cols + c) * threads] = b[r * cols + c];
            a[r * cols + c] = b[r * cols + c] * cos(b[r * cols + (c + cols - 1) % cols]);
        }
    }
}

extern "C" __global__ void pingpong_adj(double *a, double *adj_a,
                                        double *b, double *adj_b,
                                        const double *k, double *adj_k, int rows, int cols,
                                        int rounds, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_a = (double *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0) * sizeof(double) + 15) / 16
          * 16;
    double *tape_b = (double *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * (cols > 0 ? cols : 0) * sizeof(double) + 15) / 16
          * 16;
    double *tape_b_2 = (double *)(tape + at) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    for (int s = rounds - 1; s >= 0; --s) {
        if (r < rows)
            for (int c = 0; c < cols; ++c) {
                // 12:  a[r * cols + c] = b[r * cols + c] * cos(b[r * cols + (c + cols - 1) % cols])
                double g = adj_a[r * cols + c];
                double sine;
                double cosine;
                sincos(tape_b[((size_t)s * cols + c) * threads], &sine, &cosine);
                adj_b[r * cols + c] += cosine * g;
                adj_b[r * cols + (c + cols - 1) % cols]
                    -= tape_b_2[((size_t)s * cols + c) * threads] * sine * g;
                adj_a[r * cols + c] = 0.0;
            }
        for (int c = 0; c < cols; ++c) {
            double adj_k_sum = 0.0;
            if (r < rows) {
                // 10:  b[r * cols + c] = a[r * cols + c] + 0.1 * b[r * cols + c] + k[c] * sin(a[r *
                //      cols + (c + 1) % cols])
                double g = adj_b[r * cols + c];
                adj_a[r * cols + c] += g;
                double sine;
                double cosine;
                sincos(tape_a[((size_t)s * cols + c) * threads], &sine, &cosine);
                adj_k_sum = sine * g;
                adj_a[r * cols + (c + 1) % cols] += k[c] * cosine * g;
                adj_b[r * cols + c] *= 0.1;
            }
            block_add(&adj_k[c], adj_k_sum);
        }
    }
}
