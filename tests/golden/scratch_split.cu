// scratch_adj: adjoint of scratch (scratch.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scratch.cu --of out --wrt in --mode split
//
// First launch scratch_fwd, with the same grid, block and tape: it does what scratch
// does, and records. Call with in as it was before scratch. Call with work as
// scratch_fwd left it. Seed adj_out with dJ/dout: it is left alone, because scratch
// stores each element of out at most once. adj_work must come in zero; its content
// afterwards is unspecified. dJ/din is added to adj_in. out is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   i             recomputed                    from values at hand
//   in[..]        reloaded                      nothing stores to it
//   work[2 * i]   tape_work[1], global memory   line 9 overwrites it
//   work[..]      reloaded                      no later store goes to it
//
// How adjoints are added up:
//   adj_in[..]     +=, one owner   one thread per element
//   adj_work[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of sizeof(double) bytes (tape_work) per thread, in global
// memory; scratch_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t scratch_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_work
    return bytes;
}
#endif

extern "C" __global__ void scratch_fwd(const double *in, double *work, double *out, int n,
                                       char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_work = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    work[2 * i] = exp(in[i]);
    *tape_work = work[2 * i];
    work[2 * i + 1] = work[2 * i] * in[i];
    work[2 * i] = sin(work[2 * i + 1]) + 1.0;
    out[i] = work[2 * i] * work[2 * i + 1];
}

extern "C" __global__ void scratch_adj(const double *in, double *adj_in,
                                       double *work, double *adj_work,
                                       double *out, const double *adj_out, int n, char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_work = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 11:  out[i] = work[2 * i] * work[2 * i + 1]
    double g = adj_out[i];
    adj_work[2 * i] += work[2 * i + 1] * g;
    adj_work[2 * i + 1] += work[2 * i] * g;

    // 10:  work[2 * i] = sin(work[2 * i + 1]) + 1.0
    double g_2 = adj_work[2 * i];
    adj_work[2 * i] = 0.0;
    adj_work[2 * i + 1] += cos(work[2 * i + 1]) * g_2;

    // 9:  work[2 * i + 1] = work[2 * i] * in[i]
    double g_3 = adj_work[2 * i + 1];
    adj_work[2 * i + 1] = 0.0;
    adj_work[2 * i] += in[i] * g_3;
    adj_in[i] += *tape_work * g_3;

    // 8:  work[2 * i] = exp(in[i])
    adj_in[i] += exp(in[i]) * adj_work[2 * i];
    adj_work[2 * i] = 0.0;
}
