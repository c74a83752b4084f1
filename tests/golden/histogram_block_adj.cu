// histogram_block_adj: adjoint of histogram_block (histogram_block.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform histogram_block.cu --of mass --wrt w
//
// Call with key and w as they were before histogram_block. Seed adj_mass with dJ/dmass:
// it is left alone, because histogram_block only adds to mass. dJ/dw is added to adj_w.
// mass is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..], key[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]      atomicAdd      unless the launch is 1-D, several threads read the
//                                 same w[i]
//   adj_bins[..]   +=, by phase   between two barriers one thread per element
//
// Assumed: arrays don't overlap, no index wraps.

#define BINS 16

extern "C" __global__ void histogram_block_adj(const int *key,
                                               const float *w, float *adj_w,
                                               float *mass, const float *adj_mass, int n)
{
    __shared__ float adj_bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        // 17:  atomicAdd(&mass[b], bins[b])
        adj_bins[b] = adj_mass[b];
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        // 13:  atomicAdd(&bins[key[i]], w[i] * w[i])
        atomicAdd(&adj_w[i], 2.0f * w[i] * adj_bins[key[i]]);
    }
}
