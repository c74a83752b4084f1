// horner_adj: adjoint of horner (horner.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform horner.cu --of y --wrt c,x
//
// Call with c and x as they were before horner. Seed adj_y with dJ/dy: it is left
// alone, because horner stores each element of y at most once. dJ/dc is added to adj_c;
// dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p       tape_p[degree], global memory   line 10 changes it in each iteration
//   x[..]   reloaded                        nothing stores to it
//
// How adjoints are added up:
//   adj_c[..]   reduced per block   every thread reads c[degree] and c[k]
//   adj_x[..]   +=, one owner       one thread per element
//
// Extra memory: a tape of degree * sizeof(double) bytes (tape_p) per thread, in global
// memory; horner_adj_tape_bytes(grid, block, degree, n) says how many in all.
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
extern "C" size_t horner_adj_tape_bytes(dim3 grid, dim3 block, int degree, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (degree > 0 ? degree : 0) * sizeof(double) + 15) / 16 * 16;  // tape_p
    return bytes;
}
#endif

extern "C" __global__ void horner_adj(const double *c, double *adj_c, int degree,
                                      const double *x, double *adj_x,
                                      double *y, const double *adj_y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_p = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_p = 0.0;
    double adj_x_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double p = c[degree];
        for (int k = degree - 1; k >= 0; --k) {
            tape_p[k * threads] = p;
            p = p * x[i] + c[k];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 11:  y[i] = p
        adj_p = adj_y[i];
        adj_x_sum = 0.0;
    }
    for (int k = 0; k < degree; ++k) {
        double adj_c_sum = 0.0;
        if (i < n) {
            double p = tape_p[k * threads];

            // 10:  p = p * x[i] + c[k]
            adj_x_sum += p * adj_p;
            adj_c_sum = adj_p;
            adj_p *= x[i];
        }
        block_add(&adj_c[k], adj_c_sum);
    }
    if (i < n) {
        // what the iterations owe, added once
        if (adj_x_sum != 0.0)
            adj_x[i] += adj_x_sum;
    }

    // 8:  double p = c[degree]
    block_add(&adj_c[degree], adj_p);
}
