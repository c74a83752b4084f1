// nbody_adj: adjoint of nbody (nbody_tile.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform nbody_tile.cu --of ax --wrt px,m
//
// Call with px and m as they were before nbody. Seed adj_ax with dJ/dax: it is left
// alone, because nbody stores each element of ax at most once. dJ/dpx is added to
// adj_px; dJ/dm is added to adj_m. ax is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   xi         reloaded     still in its variable
//   j, d, r2   recomputed   from values at hand, in the reversed iteration
//   sm[..]     reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_px[..]   atomicAdd      not proved that two threads never meet in px[i] and
//                               px[j]
//   adj_m[..]    atomicAdd      every block reads the same m[j]
//   adj_sx[..]   +=, gathered   a thread collects what all threads of its row owe to
//                               its element of sx
//   adj_sm[..]   +=, gathered   a thread collects what all threads of its row owe to
//                               its element of sm
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TILE 32

__global__ void nbody_adj(const float *__restrict__ px, float *__restrict__ adj_px,
                          const float *__restrict__ m, float *__restrict__ adj_m,
                          float *__restrict__ ax, const float *__restrict__ adj_ax, int n)
{
    __shared__ float sx[TILE];
    __shared__ float sm[TILE];
    __shared__ float xi_tile[TILE];
    __shared__ float adj_acc_tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float xi = i < n ? px[i] : 0.0f;
    float adj_acc = 0.0f;
    if (i < n) {
        // 23:  ax[i] = acc
        adj_acc = adj_ax[i];
    }
    float adj_xi = 0.0f;
    xi_tile[threadIdx.x] = xi;
    adj_acc_tile[threadIdx.x] = adj_acc;
    for (int tile = (n + 31) / TILE * TILE - 32; tile >= 0; tile -= TILE) {
        int j = tile + threadIdx.x;
        sx[threadIdx.x] = j < n ? px[j] : 0.0f;
        sm[threadIdx.x] = j < n ? m[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float d = sx[k] - xi;
            float r2 = d * d + 0.01f;

            // 18:  acc += sm[k] * d / (r2 * sqrtf(r2))
            float g = adj_acc / (r2 * sqrtf(r2));
            float adj_d = sm[k] * g;
            float g_2 = -(sm[k] * d / (r2 * sqrtf(r2)) * g);
            float adj_r2 = sqrtf(r2) * g_2;
            float g_3 = r2 * g_2;
            if (g_3 != 0.0f)
                adj_r2 += 0.5f * g_3 * rsqrtf(r2);

            // 17:  float r2 = d * d + 0.01f
            adj_d += 2.0f * d * adj_r2;
            // 16:  float d = sx[k] - xi
            adj_xi -= adj_d;
        }
        float adj_sm_sum = 0.0f;
        float adj_sx_sum = 0.0f;
        // what the threads along x owe to this thread's elements
        for (int k = 0; k < TILE; ++k) {
            float d = sx[threadIdx.x] - xi_tile[k];
            float r2 = d * d + 0.01f;
            float g = adj_acc_tile[k] / (r2 * sqrtf(r2));

            // 18:  acc += sm[k] * d / (r2 * sqrtf(r2))
            adj_sm_sum += d * g;
            float adj_d = sm[threadIdx.x] * g;
            float g_2 = -(sm[threadIdx.x] * d / (r2 * sqrtf(r2)) * g);
            float adj_r2 = sqrtf(r2) * g_2;
            float g_3 = r2 * g_2;
            if (g_3 != 0.0f)
                adj_r2 += 0.5f * g_3 * rsqrtf(r2);
            adj_d += 2.0f * d * adj_r2;

            // 16:  float d = sx[k] - xi
            adj_sx_sum += adj_d;
        }
        __syncthreads();

        // 13:  sm[threadIdx.x] = j < n ? m[j] : 0.0f
        if (j < n)
            atomicAdd(&adj_m[j], adj_sm_sum);
        // 12:  sx[threadIdx.x] = j < n ? px[j] : 0.0f
        if (j < n)
            atomicAdd(&adj_px[j], adj_sx_sum);
    }

    // 8:  float xi = i < n ? px[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_px[i], adj_xi);
}
