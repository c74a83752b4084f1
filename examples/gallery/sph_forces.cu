// Particle methods: pressure and viscosity of smoothed particles, with a uniform grid of sorted cells.
// After M. Müller, D. Charypar and M. Gross, "Particle-based fluid simulation for interactive applications",
// SCA 2003; cells as in S. Green, "Particle simulation using CUDA" (2010).
#include "vec.cuh"

struct Fluid {
    float mass, rest_density, stiffness, viscosity, h;
};

struct Grid {
    int3 size;
    float cell;
    float3 origin;

    __device__ int3 of(float3 p) const
    {
        return make_int3(clamp((int)floorf((p.x - origin.x) / cell), 0, size.x - 1),
                         clamp((int)floorf((p.y - origin.y) / cell), 0, size.y - 1),
                         clamp((int)floorf((p.z - origin.z) / cell), 0, size.z - 1));
    }
};

__device__ float pressure(float density, const Fluid &f) { return f.stiffness * (density - f.rest_density); }

__device__ float3 interact(float3 d, float3 dv, float rho_i, float rho_j, const Fluid &f)
{
    constexpr float PI = 3.14159265f;
    const float r2 = dot(d, d);
    if (r2 >= f.h * f.h || r2 == 0.0f)
        return make_float3(0.0f, 0.0f, 0.0f);
    const float r = sqrtf(r2), near = f.h - r;
    const float h3 = f.h * f.h * f.h;
    const float spiky = 45.0f / (PI * h3 * h3) * near;  // of the kernels' gradient and Laplacian
    const float p = 0.5f * (pressure(rho_i, f) + pressure(rho_j, f));
    return f.mass * spiky / rho_j * (p * near / r * d + f.viscosity * dv);
}

// s2sad: --of accel --wrt pos,vel,density,fluid
extern "C" __global__ void sph_forces(const float3 *__restrict__ pos, const float3 *__restrict__ vel,
                                      const float *__restrict__ density, const int *__restrict__ cell_start,
                                      float3 *__restrict__ accel, Fluid fluid, Grid grid, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    const float3 xi = pos[i], vi = vel[i];
    const int3 at = grid.of(xi);
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    for (int cz = max(at.z - 1, 0); cz <= min(at.z + 1, grid.size.z - 1); ++cz)
        for (int cy = max(at.y - 1, 0); cy <= min(at.y + 1, grid.size.y - 1); ++cy)
            for (int cx = max(at.x - 1, 0); cx <= min(at.x + 1, grid.size.x - 1); ++cx) {
                const int cell = (cz * grid.size.y + cy) * grid.size.x + cx;
                for (int j = cell_start[cell]; j < cell_start[cell + 1]; ++j)
                    if (j != i)
                        force += interact(xi - pos[j], vel[j] - vi, density[i], density[j], fluid);
            }
    accel[i] = force / density[i] + make_float3(0.0f, -9.81f, 0.0f);
}
