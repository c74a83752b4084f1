// asked_by_pragma_adj: adjoint of asked_by_pragma (asked_by_pragma.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform asked_by_pragma.cu --of u --wrt u,c --mode split
//
// First launch asked_by_pragma_fwd, with the same grid, block and tape: it does what
// asked_by_pragma does, and records. Call with c as it was before asked_by_pragma.
// adj_u comes in as dJ/du after asked_by_pragma and goes out as dJ/du before it,
// element by element. dJ/dc is added to adj_c. u is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i       recomputed                     from values at hand
//   v       tape_v[steps], global memory   line 10 changes it in each iteration
//   c[..]   reloaded                       nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]   +=, one owner       one thread per element
//   adj_c[..]   reduced per block   every thread reads the same c[k]
//
// Extra memory: a tape of steps * sizeof(double) bytes (tape_v) per thread, in global
// memory; asked_by_pragma_adj_tape_bytes(grid, block, n, steps) says how many in all.
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
extern "C" size_t asked_by_pragma_adj_tape_bytes(dim3 grid, dim3 block, int n, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_v
    return bytes;
}
#endif

extern "C" __global__ void asked_by_pragma_fwd(double *u, const double *c, int n, int steps,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_v = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = u[i];
    for (int k = 0; k < steps; ++k) {
        tape_v[k * threads] = v;
        v = v + c[k] * sin(v);
    }
    u[i] = v;
}

extern "C" __global__ void asked_by_pragma_adj(double *u, double *adj_u,
                                               const double *c, double *adj_c, int n, int steps,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_v = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_v;
    if (i < n) {
        // 11:  u[i] = v
        adj_v = adj_u[i];
    }
    for (int k = steps - 1; k >= 0; --k) {
        double adj_c_sum = 0.0;
        if (i < n) {
            // 10:  v = v + c[k] * sin(v)
            double sine;
            double cosine;
            sincos(tape_v[k * threads], &sine, &cosine);
            adj_c_sum = sine * adj_v;
            adj_v += c[k] * cosine * adj_v;
        }
        block_add(&adj_c[k], adj_c_sum);
    }
    if (i < n) {
        // 8:  double v = u[i]
        adj_u[i] = adj_v;
    }
}
