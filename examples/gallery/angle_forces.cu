// Molecular dynamics: forces of harmonic bond angles, added to the three atoms of each.
// After M. Allen and D. Tildesley, "Computer Simulation of Liquids", appendix C; one thread per angle
// and atomic sums as in the bonded kernels of large MD codes.
#include "reduce.cuh"
#include "vec.cuh"

#define BLOCK 64

struct Angle {
    int i, j, k;  // j is in the middle
    int kind;
};

struct AngleKind {
    float stiffness, rest;
};

// s2sad: --of force,energy --wrt pos,kinds,force,energy
extern "C" __global__ void angle_forces(const float3 *__restrict__ pos, const Angle *__restrict__ angles,
                                        const AngleKind *__restrict__ kinds, float3 *force, float *energy,
                                        int n_angles)
{
    const int a = blockIdx.x * BLOCK + threadIdx.x;
    float e = 0.0f;
    if (a < n_angles) {
        const Angle angle = angles[a];
        const AngleKind kind = kinds[angle.kind];
        const float3 u = pos[angle.i] - pos[angle.j];
        const float3 v = pos[angle.k] - pos[angle.j];
        const float inv_u = rsqrtf(dot(u, u)), inv_v = rsqrtf(dot(v, v));
        const float c = clamp(dot(u, v) * inv_u * inv_v, -0.9999f, 0.9999f);
        const float stretch = acosf(c) - kind.rest;
        e = 0.5f * kind.stiffness * stretch * stretch;

        const float slope = kind.stiffness * stretch * rsqrtf(1.0f - c * c);  // -dE/dc
        const float3 fi = slope * inv_u * (inv_v * v - c * inv_u * u);
        const float3 fk = slope * inv_v * (inv_u * u - c * inv_v * v);
        atomicAdd3(&force[angle.i], fi);
        atomicAdd3(&force[angle.k], fk);
        atomicAdd3(&force[angle.j], -(fi + fk));
    }
    const float total = block_sum<BLOCK>(e);
    if (threadIdx.x == 0)
        atomicAdd(energy, total);
}
