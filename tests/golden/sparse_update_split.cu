// sparse_update_adj: adjoint of sparse_update (sparse_update.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sparse_update.cu --of y --wrt x,y --mode split
//
// First launch sparse_update_fwd, with the same grid, block and tape: it does what
// sparse_update does, and records. Call with x as it was before sparse_update. adj_y
// comes in as dJ/dy after sparse_update and goes out as dJ/dy before it, element by
// element. dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i       recomputed                 from values at hand
//   y[i]    tape_y[1], global memory   line 9 overwrites it
//   x[..]   reloaded                   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of sizeof(float) bytes (tape_y) per thread, in global memory;
// sparse_update_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t sparse_update_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_y
    return bytes;
}
#endif

extern "C" __global__ void sparse_update_fwd(const float *x, float *y, int n, char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_y = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0.0f && i % 2 == 0) {
        *tape_y = y[i];
        y[i] = x[i] * y[i] * y[i];
    } else if (x[i] < -1.0f) {
        y[i] = 0.0f;
    }
}

extern "C" __global__ void sparse_update_adj(const float *x, float *adj_x,
                                             float *y, float *adj_y, int n, char *tape)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_y = (float *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0.0f && i % 2 == 0) {
        // 9:  y[i] = x[i] * y[i] * y[i]
        float y_was = *tape_y;
        adj_x[i] += y_was * y_was * adj_y[i];
        adj_y[i] *= 2.0f * x[i] * y_was;
    } else if (x[i] < -1.0f) {
        // 11:  y[i] = 0.0f
        adj_y[i] = 0.0f;
    }
}
