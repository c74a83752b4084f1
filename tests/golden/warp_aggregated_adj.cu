// warp_aggregated_adj: adjoint of warp_aggregated (warp_aggregated.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_aggregated.cu --of energy --wrt q,scale --assume launch:1d
//
// Call with q and scale as they were before warp_aggregated. Seed adj_energy with
// dJ/denergy: it is left alone, because warp_aggregated only adds to energy. dJ/dq is
// added to adj_q; dJ/dscale is added to adj_scale. energy is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   q[..], scale[..]   reloaded   nothing stores to it
//   sum[..]            reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_scale[..]   atomicAdd       not proved that two threads never meet in scale[j %
//                                   4]
//   adj_q[..]       +=, one owner   each thread has elements of its own
//   adj_sum[..]     +=, by phase    between two barriers one thread per element
//
// Assumed: blockDim.x is a multiple of 32, arrays don't overlap, no index wraps,
// launch:1d.

#define ALL 0xffffffffu

extern "C" __global__ void warp_aggregated_adj(const float *__restrict__ q,
                                               float *__restrict__ adj_q,
                                               const float *__restrict__ scale,
                                               float *__restrict__ adj_scale,
                                               float *__restrict__ energy,
                                               const float *__restrict__ adj_energy, int n)
{
    // For a 1-D launch, as it was declared; rows of whole warps, as the primal exchanges values
    // among them; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1 || blockDim.x % 32 != 0) {
        adj_q[0] = nanf("");
        adj_scale[0] = nanf("");
        return;
    }
    __shared__ float sum;
    __shared__ float adj_sum;
    if (threadIdx.x == 0)
        adj_sum = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float e = 0.0f;
    for (int j = i; j < n; j += gridDim.x * blockDim.x)
        e += scale[j % 4] * q[j] * q[j];
    for (int d = 16; d > 0; d /= 2)
        e += __shfl_down_sync(ALL, e, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&sum, e);
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    if (threadIdx.x == 0) {
        // 21:  atomicAdd(energy, logf(1.0f + sum * sum))
        adj_sum += 2.0f * sum * *adj_energy / (1.0f + sum * sum);
    }
    __syncthreads();
    float adj_e = 0.0f;
    if (threadIdx.x % 32 == 0) {
        // 18:  atomicAdd(&sum, e)
        adj_e = adj_sum;
    }

    // 15:  for (int d = 16; d > 0; d /= 2)
    // only the first lane's sum is used, and it holds every lane's value once
    adj_e = __shfl_sync(ALL, adj_e, 0);
    for (int j = i; j < n; j += gridDim.x * blockDim.x) {
        // 14:  e += scale[j % 4] * q[j] * q[j]
        atomicAdd(&adj_scale[j % 4], q[j] * q[j] * adj_e);
        adj_q[j] += 2.0f * scale[j % 4] * q[j] * adj_e;
    }
}
