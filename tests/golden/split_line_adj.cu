// split_line_adj: adjoint of split_line (split_line.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform split_line.cu --of u --wrt u,f --mode split
//
// First launch split_line_fwd, with the same grid, block and tape: it does what
// split_line does, and records. Call with u as split_line_fwd left it. adj_u comes in
// as dJ/du after split_line and goes out as dJ/du before it, element by element. dJ/df
// is added to adj_f. f is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   line    recomputed                          from values at hand
//   c       recomputed                          from values at hand, in the reversed
//                                               iteration
//   u[c]    tape_u[length - 1], global memory   line 10 overwrites it
//   u[..]   reloaded                            no later store goes to it
//
// How adjoints are added up:
//   adj_u[..]   +=, one owner   each thread has elements of its own
//   adj_f[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)length - 1) * sizeof(float) bytes (tape_u) per
// thread, in global memory; split_line_adj_tape_bytes(grid, block, lines, length) says
// how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t split_line_adj_tape_bytes(dim3 grid, dim3 block, int lines, int length)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_u
    bytes += (threads * ((long long)length - 1 > 0 ? (long long)length - 1 : 0) * sizeof(float)
              + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void split_line_fwd(float *u, const float *f, int lines, int length,
                                          char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_u = (float *)(tape + 16) + thread;
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;
    for (int k = 1; k < length; ++k) {
        int c = line * length + k;
        tape_u[(k - 1) * threads] = u[c];
        u[c] = u[c] * u[c - 1] + f[c];
    }
}

extern "C" __global__ void split_line_adj(float *u, float *adj_u,
                                          const float *f, float *adj_f, int lines, int length,
                                          char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_u = (float *)(tape + 16) + thread;
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;
    for (int k = length - 1; k >= 1; --k) {
        int c = line * length + k;

        // 10:  u[c] = u[c] * u[c - 1] + f[c]
        float g = adj_u[c];
        adj_u[c] = u[c - 1] * g;
        adj_u[c - 1] += tape_u[(k - 1) * threads] * g;
        adj_f[c] += g;
    }
}
