// nbody_adj: adjoint of nbody (nbody.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform nbody.cu --of ax,ay,az --wrt px,py,pz,m
//
// Call with px, py, pz and m as they were before nbody. Seed adj_ax with dJ/dax: it is
// left alone, because nbody stores each element of ax at most once. Seed adj_ay with
// dJ/day: it is left alone, because nbody stores each element of ay at most once. Seed
// adj_az with dJ/daz: it is left alone, because nbody stores each element of az at most
// once. dJ/dpx is added to adj_px; dJ/dpy is added to adj_py; dJ/dpz is added to
// adj_pz; dJ/dm is added to adj_m. ax, ay and az are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   dx, dy, dz, inv, s   recomputed   from values at hand, in the reversed iteration
//   m[..]                reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_px[..]   reduced per block   every thread reads the same px[j]
//   adj_px[..]   atomicAdd           other threads add to px[i] too
//   adj_py[..]   reduced per block   every thread reads the same py[j]
//   adj_py[..]   atomicAdd           other threads add to py[i] too
//   adj_pz[..]   reduced per block   every thread reads the same pz[j]
//   adj_pz[..]   atomicAdd           other threads add to pz[i] too
//   adj_m[..]    reduced per block   every thread reads the same m[j]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define SOFTENING 0.01f

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
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
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void nbody_adj(const float *px, float *adj_px,
                                     const float *py, float *adj_py,
                                     const float *pz, float *adj_pz,
                                     const float *m, float *adj_m,
                                     float *ax, const float *adj_ax,
                                     float *ay, const float *adj_ay,
                                     float *az, const float *adj_az, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_sz;
    float adj_sy;
    float adj_sx;
    float adj_pz_sum_2;
    float adj_py_sum_2;
    float adj_px_sum_2;
    if (i < n) {
        // 24:  az[i] = sz
        adj_sz = adj_az[i];
        // 23:  ay[i] = sy
        adj_sy = adj_ay[i];

        // 22:  ax[i] = sx
        adj_sx = adj_ax[i];
        adj_pz_sum_2 = 0.0f;
        adj_py_sum_2 = 0.0f;
        adj_px_sum_2 = 0.0f;
    }
    for (int j = 0; j < n; ++j) {
        float adj_m_sum = 0.0f;
        float adj_pz_sum = 0.0f;
        float adj_py_sum = 0.0f;
        float adj_px_sum = 0.0f;
        if (i < n) {
            float dx = px[j] - px[i];
            float dy = py[j] - py[i];
            float dz = pz[j] - pz[i];
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
            float s = m[j] * inv * inv * inv;

            // 20:  sz += dz * s
            float adj_dz = s * adj_sz;
            float adj_s = dz * adj_sz;

            // 19:  sy += dy * s
            float adj_dy = s * adj_sy;
            adj_s += dy * adj_sy;

            // 18:  sx += dx * s
            float adj_dx = s * adj_sx;
            adj_s += dx * adj_sx;

            // 17:  float s = m[j] * inv * inv * inv
            adj_m_sum = inv * inv * inv * adj_s;

            // 16:  float inv = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING)
            float g = -0.5f * inv * inv * inv * 3.0f * m[j] * inv * inv * adj_s;
            adj_dx += 2.0f * dx * g;
            adj_dy += 2.0f * dy * g;
            adj_dz += 2.0f * dz * g;

            // 15:  float dz = pz[j] - pz[i]
            adj_pz_sum = adj_dz;
            adj_pz_sum_2 -= adj_dz;

            // 14:  float dy = py[j] - py[i]
            adj_py_sum = adj_dy;
            adj_py_sum_2 -= adj_dy;

            // 13:  float dx = px[j] - px[i]
            adj_px_sum = adj_dx;
            adj_px_sum_2 -= adj_dx;
        }
        block_add(&adj_m[j], adj_m_sum);
        block_add(&adj_pz[j], adj_pz_sum);
        block_add(&adj_py[j], adj_py_sum);
        block_add(&adj_px[j], adj_px_sum);
    }
    if (i < n) {
        // what the iterations owe, added once
        if (adj_pz_sum_2 != 0.0f)
            atomicAdd(&adj_pz[i], adj_pz_sum_2);
        if (adj_py_sum_2 != 0.0f)
            atomicAdd(&adj_py[i], adj_py_sum_2);
        if (adj_px_sum_2 != 0.0f)
            atomicAdd(&adj_px[i], adj_px_sum_2);
    }
}
