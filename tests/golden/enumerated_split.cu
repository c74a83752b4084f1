// enumerated_adj: adjoint of enumerated (enumerated.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform enumerated.cu --of y --wrt x --mode split
//
// First launch enumerated_fwd, with the same grid, block and tape: it does what
// enumerated does, and records. Seed adj_y with dJ/dy: it is left alone, because
// enumerated stores each element of y at most once. dJ/dx is added to adj_x. x, program
// and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i       recomputed                  from values at hand
//   dv_dx   tape_dv_dx, global memory   a loop computed it, and only the forward kernel
//                                       runs that
//   v       dv_dx, carried forward      line 17 or 20 or 26 changes it in each
//                                       iteration, and inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of sizeof(double) bytes (tape_dv_dx) per thread, in global
// memory; enumerated_adj_tape_bytes(grid, block, n, length) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

enum Step { SKIP, DOUBLE_IT, SQUARE_IT = 4, STOP };

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t enumerated_adj_tape_bytes(dim3 grid, dim3 block, int n, int length)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_dv_dx
    return bytes;
}
#endif

extern "C" __global__ void enumerated_fwd(const double *x, const int *program, double *y, int n,
                                          int length, char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_dv_dx = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    bool running = true;
    double dv_dx = 1.0;
    for (int k = 0; k < length && running; ++k) {
        bool left = false;
        switch (program[(i + k) % n]) {
        case SKIP:
            left = true;
            break;
        case DOUBLE_IT:
            dv_dx *= 1.5;
            v *= 1.5;
            break;
        case SQUARE_IT:
            dv_dx *= v;
            v = 0.5 * v * v;
            break;
        case STOP:
            running = false;
            break;
        }
        if (!left) {
            dv_dx *= cos(v);
            v = sin(v);
        }
    }
    *tape_dv_dx = dv_dx;
    y[i] = v;
}

extern "C" __global__ void enumerated_adj(const double *x, double *adj_x, const int *program,
                                          double *y, const double *adj_y, int n, int length,
                                          char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_dv_dx = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 28:  y[i] = v
    double adj_v = adj_y[i];
    // 12:  for (int k = 0; k < length && running; ++k)
    // its tangents, carried along, are what it owes
    adj_v *= *tape_dv_dx;
    // 10:  double v = x[i]
    adj_x[i] += adj_v;
}
