// dynamic_bins_adj: adjoint of dynamic_bins (dynamic_bins.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform dynamic_bins.cu --of energy --wrt w,scale
//
// Call with key and w as they were before dynamic_bins. Seed adj_energy with
// dJ/denergy: it is left alone, because dynamic_bins only adds to energy. dJ/dw is
// added to adj_w; dJ/dscale is added to adj_scale. energy is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..], key[..]   reloaded   nothing stores to it
//   mass[..]         reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_w[..]      atomicAdd           unless the launch is 1-D, several threads read
//                                      the same w[i]
//   adj_mass[..]   atomicAdd           unless the launch is 1-D, several threads read
//                                      the same mass[b]
//   adj_scale      reduced per block   every thread has its share in it
//
// Extra memory: adj_mass lies behind mass in the launch's shared memory;
// dynamic_bins_adj_shared_bytes(grid, block, shared_bytes, scale, n, bins) says how
// many bytes to launch with.
//
// Assumed: arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for mass and adj_mass.
extern "C" size_t dynamic_bins_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                double scale, int n, int bins)
{
    long long count = bins;
    return count > 0 ? 2 * (size_t)count * sizeof(double) : 0;
}
#endif

extern "C" __global__ void dynamic_bins_adj(const int *key,
                                            const double *w, double *adj_w,
                                            double scale, double *adj_scale,
                                            double *energy, const double *adj_energy, int n,
                                            int bins)
{
    extern __shared__ double mass[];
    double *adj_mass = mass + bins;
    for (int q = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; q < bins;
         q += blockDim.x * blockDim.y * blockDim.z)
        adj_mass[q] = 0.0;

    // ---- forward sweep ------------------------------------------------------

    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        mass[b] = 0.0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mass[key[i]], scale * w[i]);
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        // 14:  atomicAdd(&energy[b / 2], mass[b] * mass[b])
        atomicAdd(&adj_mass[b], 2.0 * mass[b] * adj_energy[b / 2]);
    }
    __syncthreads();
    double adj_scale_sum = 0.0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // 11:  atomicAdd(&mass[key[i]], scale * w[i])
        double g = adj_mass[key[i]];
        adj_scale_sum += w[i] * g;
        atomicAdd(&adj_w[i], scale * g);
    }
    block_add(adj_scale, adj_scale_sum);
}
