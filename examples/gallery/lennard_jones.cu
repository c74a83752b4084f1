// Molecular dynamics: Lennard-Jones forces of a fluid in a periodic box, from neighbour lists.
// After D. C. Rapaport, "The Art of Molecular Dynamics Simulation", chapter 3; one thread per atom and
// neighbour lists by columns as in J. Anderson, C. Lorenz and A. Travesset, J. Comput. Phys. 227 (2008).
#include "vec.cuh"

struct Box {
    float3 size;

    // The nearest of a vector's periodic images.
    __device__ float3 image(float3 d) const
    {
        d.x -= size.x * rintf(d.x / size.x);
        d.y -= size.y * rintf(d.y / size.y);
        d.z -= size.z * rintf(d.z / size.z);
        return d;
    }
};

// s2sad: --of force --wrt pos,epsilon,sigma
extern "C" __global__ void lennard_jones(const float3 *__restrict__ pos, const int *__restrict__ kind,
                                         const int *__restrict__ n_neigh, const int *__restrict__ neigh,
                                         const float *__restrict__ epsilon, const float *__restrict__ sigma,
                                         float4 *__restrict__ force,  // w: the atom's share of the energy
                                         Box box, float r_cut, int n, int kinds)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    const float3 here = pos[i];
    float3 f = make_float3(0.0f, 0.0f, 0.0f);
    float energy = 0.0f;
    for (int k = 0; k < n_neigh[i]; ++k) {
        const int j = neigh[k * n + i];
        const float3 d = box.image(here - pos[j]);
        const float r2 = dot(d, d);
        if (r2 >= r_cut * r_cut)
            continue;
        const int pair = kind[i] * kinds + kind[j];
        const float s2 = sq(sigma[pair]) / r2;
        const float s6 = s2 * s2 * s2;
        f += (24.0f * epsilon[pair] * s6 * (2.0f * s6 - 1.0f) / r2) * d;
        energy += 2.0f * epsilon[pair] * s6 * (s6 - 1.0f);
    }
    force[i] = make_float4(f.x, f.y, f.z, energy);
}
