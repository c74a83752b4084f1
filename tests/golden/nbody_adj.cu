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
//   adj_px[..]   atomicAdd   every thread reads the same px[j]
//   adj_py[..]   atomicAdd   every thread reads the same py[j]
//   adj_pz[..]   atomicAdd   every thread reads the same pz[j]
//   adj_m[..]    atomicAdd   every thread reads the same m[j]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define SOFTENING 0.01f

extern "C" __global__ void nbody_adj(const float *px, float *adj_px,
                                     const float *py, float *adj_py,
                                     const float *pz, float *adj_pz,
                                     const float *m, float *adj_m,
                                     float *ax, const float *adj_ax,
                                     float *ay, const float *adj_ay,
                                     float *az, const float *adj_az, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 24:  az[i] = sz
    float adj_sz = adj_az[i];
    // 23:  ay[i] = sy
    float adj_sy = adj_ay[i];

    // 22:  ax[i] = sx
    float adj_sx = adj_ax[i];
    for (int j = 0; j < n; ++j) {
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
        atomicAdd(&adj_m[j], inv * inv * inv * adj_s);

        // 16:  float inv = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING)
        float g = -0.5f * inv * inv * inv * 3.0f * m[j] * inv * inv * adj_s;
        adj_dx += 2.0f * dx * g;
        adj_dy += 2.0f * dy * g;
        adj_dz += 2.0f * dz * g;

        // 15:  float dz = pz[j] - pz[i]
        atomicAdd(&adj_pz[j], adj_dz);
        atomicAdd(&adj_pz[i], -adj_dz);

        // 14:  float dy = py[j] - py[i]
        atomicAdd(&adj_py[j], adj_dy);
        atomicAdd(&adj_py[i], -adj_dy);

        // 13:  float dx = px[j] - px[i]
        atomicAdd(&adj_px[j], adj_dx);
        atomicAdd(&adj_px[i], -adj_dx);
    }
}
