// gauss_seidel_line_adj: adjoint of gauss_seidel_line (gauss_seidel_line.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform gauss_seidel_line.cu --of u --wrt u,f
//
// Call with u and f as they were before gauss_seidel_line. adj_u comes in as dJ/du
// after gauss_seidel_line and goes out as dJ/du before it, element by element. dJ/df is
// added to adj_f. The content of u afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   c       recomputed                                  from values at hand, in the
//                                                       reversed iteration
//   u[c]    tape_u[sweeps][length - 2], global memory   line 11 overwrites it
//   f[..]   reloaded                                    nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]   +=, one owner   each thread has elements of its own
//   adj_f[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of (sweeps * ((long long)length - 2)) * sizeof(float) bytes
// (tape_u) per thread, in global memory; gauss_seidel_line_adj_tape_bytes(grid, block,
// lines, length, sweeps) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t gauss_seidel_line_adj_tape_bytes(dim3 grid, dim3 block, int lines, int length,
                                                   int sweeps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_u
    bytes += (threads
              * ((sweeps > 0 ? sweeps : 0)
                 * ((long long)length - 2 > 0 ? (long long)length - 2 : 0)) * sizeof(float) + 15)
             / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void gauss_seidel_line_adj(float *u, float *adj_u,
                                                 const float *f, float *adj_f, int lines,
                                                 int length, int sweeps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_u = (float *)(tape + 16) + thread;
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= lines)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int s = 0; s < sweeps; s++)
        for (int k = 1; k < length - 1; k++) {
            int c = line * length + k;
            tape_u[((size_t)s * (length - 2) + (k - 1)) * threads] = u[c];
            u[c] = 0.5f * (u[c - 1] + u[c + 1] - f[c] * u[c] * u[c]);
        }

    // ---- reverse sweep ------------------------------------------------------

    for (int s = sweeps - 1; s >= 0; --s)
        for (int k = length - 2; k >= 1; --k) {
            int c = line * length + k;

            // 11:  u[c] = 0.5f * (u[c - 1] + u[c + 1] - f[c] * u[c] * u[c])
            float g = adj_u[c];
            adj_u[c] = 0.0f;
            float u_was = tape_u[((size_t)s * (length - 2) + (k - 1)) * threads];
            float g_2 = 0.5f * g;
            adj_u[c - 1] += g_2;
            adj_u[c + 1] += g_2;
            adj_f[c] -= u_was * u_was * g_2;
            adj_u[c] -= 2.0f * f[c] * u_was * g_2;
        }
}
