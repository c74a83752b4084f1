// sph_forces_adj: adjoint of sph_forces (sph_forces.cu:39).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sph_forces.cu --of accel --wrt pos,vel,density,fluid
//
// Call with pos, vel, density and cell_start as they were before sph_forces. Seed
// adj_accel with dJ/daccel: it is left alone, because sph_forces stores each element of
// accel at most once. dJ/dpos is added to adj_pos; dJ/dvel is added to adj_vel;
// dJ/ddensity is added to adj_density; dJ/dfluid is added to adj_fluid. accel is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   xi.x, xi.y, xi.z, vi.x,     reloaded     still in its variable
//   vi.y, vi.z, force.x,
//   force.y, force.z,
//   s (line 58)
//   cy_start, cy_end,           recomputed   from values at hand, in the reversed
//                                            iteration
//   cx_start, cx_end, cell,
//   d.x, d.y, d.z, dv.x,
//   dv.y, dv.z, rho_i, rho_j,
//   PI, r2, r, near, h3,
//   spiky, p, s (line 35)
//
// How adjoints are added up:
//   adj_pos[..].x            atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_pos[..].y            atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_pos[..].z            atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_vel[..].x            atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_vel[..].y            atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_vel[..].z            atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_density[..]          atomicAdd           stretches given by cell_start may
//                                                overlap
//   adj_fluid.mass           reduced per block   every thread has its share in it
//   adj_fluid.rest_density   reduced per block   every thread has its share in it
//   adj_fluid.stiffness      reduced per block   every thread has its share in it
//   adj_fluid.viscosity      reduced per block   every thread has its share in it
//   adj_fluid.h              reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

struct Fluid {
    float mass, rest_density, stiffness, viscosity, h;
};
struct Grid {
    int3 size;
    float cell;
    float3 origin;
};

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

static __host__ __device__ __forceinline__ int clamp(int x, int low, int high)
{
    return min(max(x, low), high);
}

extern "C" __global__ void sph_forces_adj(const float3 *__restrict__ pos, float3 *adj_pos,
                                          const float3 *__restrict__ vel, float3 *adj_vel,
                                          const float *__restrict__ density,
                                          float *__restrict__ adj_density,
                                          const int *__restrict__ cell_start,
                                          float3 *__restrict__ accel, const float3 *adj_accel,
                                          Fluid fluid, Fluid *adj_fluid, Grid grid, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_fluid_h_sum = 0.0f;
    float adj_fluid_rest_density_sum = 0.0f;
    float adj_fluid_stiffness_sum = 0.0f;
    float adj_fluid_mass_sum = 0.0f;
    float adj_fluid_viscosity_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        const float3 xi = pos[i];
        const float3 vi = vel[i];
        const int3 at = make_int3(clamp((int)floorf((xi.x - grid.origin.x) / grid.cell), 0,
                                        grid.size.x - 1),
                                  clamp((int)floorf((xi.y - grid.origin.y) / grid.cell), 0,
                                        grid.size.y - 1),
                                  clamp((int)floorf((xi.z - grid.origin.z) / grid.cell), 0,
                                        grid.size.z - 1));
        float3 force = make_float3(0.0f, 0.0f, 0.0f);
        int cz_start = max(at.z - 1, 0);
        int cz_end = min(at.z + 1, grid.size.z - 1);
        for (int cz = cz_start; cz <= cz_end; ++cz) {
            int cy_end = min(at.y + 1, grid.size.y - 1);
            for (int cy = max(at.y - 1, 0); cy <= cy_end; ++cy) {
                int cx_end = min(at.x + 1, grid.size.x - 1);
                for (int cx = max(at.x - 1, 0); cx <= cx_end; ++cx) {
                    const int cell = (cz * grid.size.y + cy) * grid.size.x + cx;
                    for (int j = cell_start[cell]; j < cell_start[cell + 1]; ++j)
                        if (j != i) {
                            float3 d = make_float3(xi.x - pos[j].x, xi.y - pos[j].y,
                                                   xi.z - pos[j].z);
                            float3 dv = make_float3(vel[j].x - vi.x, vel[j].y - vi.y,
                                                    vel[j].z - vi.z);
                            float rho_i = density[i];
                            float rho_j = density[j];
                            float3 interact_result;
                            const float PI = 3.14159265f;
                            const float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
                            if (r2 >= fluid.h * fluid.h || r2 == 0.0f) {
                                interact_result = make_float3(0.0f, 0.0f, 0.0f);
                            } else {
                                const float r = sqrtf(r2);
                                const float near = fluid.h - r;
                                const float h3 = fluid.h * fluid.h * fluid.h;
                                // of the kernels' gradient and Laplacian
                                const float spiky = 45.0f / (PI * h3 * h3) * near;
                                const float p = 0.5f
                                                * (fluid.stiffness * (rho_i - fluid.rest_density)
                                                   + fluid.stiffness
                                                   * (rho_j - fluid.rest_density));
                                float s = fluid.mass * spiky / rho_j;
                                float s_2 = p * near / r;
                                interact_result = make_float3(s
                                                              * (s_2 * d.x
                                                                 + fluid.viscosity * dv.x),
                                                              s * (s_2 * d.y
                                                                   + fluid.viscosity * dv.y),
                                                              s * (s_2 * d.z
                                                                   + fluid.viscosity * dv.z));
                            }
                            force.x += interact_result.x;
                            force.y += interact_result.y;
                            force.z += interact_result.z;
                        }
                }
            }
        }
        float s = 1.0f / density[i];

        // ---- reverse sweep ------------------------------------------------------

        // 58:  accel[i] = force / density[i] + make_float3(0.0f, -9.81f, 0.0f)
        float g = adj_accel[i].z;
        float adj_s = force.z * g;
        float3 adj_force;
        adj_force.z = s * g;
        float g_2 = adj_accel[i].y;
        adj_s += force.y * g_2;
        adj_force.y = s * g_2;
        float g_3 = adj_accel[i].x;
        adj_s += force.x * g_3;
        adj_force.x = s * g_3;

        // 58:  force / density[i]
        atomicAdd(&adj_density[i], -s * s * adj_s);
        float3 adj_xi = {};
        float3 adj_vi = {};
        for (int cz = cz_start; cz <= cz_end; ++cz) {
            int cy_end = min(at.y + 1, grid.size.y - 1);
            for (int cy = max(at.y - 1, 0); cy <= cy_end; ++cy) {
                int cx_end = min(at.x + 1, grid.size.x - 1);
                for (int cx = max(at.x - 1, 0); cx <= cx_end; ++cx) {
                    const int cell = (cz * grid.size.y + cy) * grid.size.x + cx;
                    for (int j = cell_start[cell]; j < cell_start[cell + 1]; ++j)
                        if (j != i) {
                            float d_x = xi.x - pos[j].x;
                            float d_y = xi.y - pos[j].y;
                            float d_z = xi.z - pos[j].z;
                            float dv_x = vel[j].x - vi.x;
                            float dv_y = vel[j].y - vi.y;
                            float dv_z = vel[j].z - vi.z;
                            float rho_i = density[i];
                            float rho_j = density[j];
                            const float PI = 3.14159265f;
                            const float r2 = d_x * d_x + d_y * d_y + d_z * d_z;

                            // 56:  force += interact(xi - pos[j], vel[j] - vi, density[i],
                            //      density[j], fluid)
                            float adj_r2 = 0.0f;
                            float adj_rho_i = 0.0f;
                            float adj_rho_j = 0.0f;
                            float3 adj_dv = {};
                            float3 adj_d = {};
                            if (!(r2 >= fluid.h * fluid.h || r2 == 0.0f)) {
                                const float r = sqrtf(r2);
                                const float near = fluid.h - r;
                                const float h3 = fluid.h * fluid.h * fluid.h;
                                const float spiky = 45.0f / (PI * h3 * h3) * near;
                                const float p = 0.5f
                                                * (fluid.stiffness * (rho_i - fluid.rest_density)
                                                   + fluid.stiffness
                                                   * (rho_j - fluid.rest_density));
                                float s = fluid.mass * spiky / rho_j;
                                float s_2 = p * near / r;

                                // 35:  return f.mass * spiky / rho_j * (p * near / r * d +
                                //      f.viscosity * dv)
                                float g = s * adj_force.z;
                                float adj_s_2 = d_z * g;
                                adj_d.z = s_2 * g;
                                adj_fluid_viscosity_sum += dv_z * g;
                                adj_dv.z = fluid.viscosity * g;
                                float g_2 = s * adj_force.y;
                                adj_s_2 += d_y * g_2;
                                adj_d.y = s_2 * g_2;
                                adj_fluid_viscosity_sum += dv_y * g_2;
                                adj_dv.y = fluid.viscosity * g_2;
                                float g_3 = s * adj_force.x;
                                adj_s_2 += d_x * g_3;
                                adj_d.x = s_2 * g_3;
                                adj_fluid_viscosity_sum += dv_x * g_3;
                                adj_dv.x = fluid.viscosity * g_3;

                                // 35:  p * near / r
                                float g_4 = adj_s_2 / r;
                                float adj_near = p * g_4;
                                float adj_r = -(s_2 * g_4);

                                // 35:  f.mass * spiky / rho_j
                                float g_5 = ((s_2 * d_z + fluid.viscosity * dv_z) * adj_force.z
                                             + (s_2 * d_y + fluid.viscosity * dv_y) * adj_force.y
                                             + (s_2 * d_x + fluid.viscosity * dv_x) * adj_force.x)
                                            / rho_j;
                                adj_fluid_mass_sum += spiky * g_5;
                                float adj_spiky = fluid.mass * g_5;
                                adj_rho_j = -(s * g_5);

                                // 34:  const float p = 0.5f * (pressure(rho_i, f) + pressure(rho_j,
                                //      f))
                                float g_6 = 0.5f * near * g_4;
                                adj_fluid_stiffness_sum += (rho_i - fluid.rest_density
                                                            + (rho_j - fluid.rest_density)) * g_6;
                                float g_7 = fluid.stiffness * g_6;
                                adj_rho_i = g_7;
                                adj_fluid_rest_density_sum -= 2.0f * g_7;
                                adj_rho_j += g_7;

                                // 33:  const float spiky = 45.0f / (PI * h3 * h3) * near
                                float r_2 = 45.0f / (PI * h3 * h3);
                                adj_near += 45.0f / (PI * h3 * h3) * adj_spiky;

                                // 32:  const float h3 = f.h * f.h * f.h
                                adj_fluid_h_sum += 3.0f * fluid.h * fluid.h
                                                   * -(2.0f * near * r_2 * r_2 * PI * h3 * adj_spiky
                                                       / 45.0f);

                                // 31:  near = f.h - r
                                adj_fluid_h_sum += adj_near;
                                adj_r -= adj_near;

                                // 31:  const float r = sqrtf(r2)
                                if (adj_r != 0.0f)
                                    adj_r2 = 0.5f * adj_r / r;
                            }

                            // 28:  const float r2 = dot(d, d)
                            adj_d.x += 2.0f * d_x * adj_r2;
                            adj_d.y += 2.0f * d_y * adj_r2;
                            adj_d.z += 2.0f * d_z * adj_r2;

                            // 56:  density[j]
                            atomicAdd(&adj_density[j], adj_rho_j);
                            // 56:  density[i]
                            atomicAdd(&adj_density[i], adj_rho_i);

                            // 56:  vel[j] - vi
                            atomicAdd(&adj_vel[j].x, adj_dv.x);
                            adj_vi.x -= adj_dv.x;
                            atomicAdd(&adj_vel[j].y, adj_dv.y);
                            adj_vi.y -= adj_dv.y;
                            atomicAdd(&adj_vel[j].z, adj_dv.z);
                            adj_vi.z -= adj_dv.z;

                            // 56:  xi - pos[j]
                            adj_xi.x += adj_d.x;
                            atomicAdd(&adj_pos[j].x, -adj_d.x);
                            adj_xi.y += adj_d.y;
                            atomicAdd(&adj_pos[j].y, -adj_d.y);
                            adj_xi.z += adj_d.z;
                            atomicAdd(&adj_pos[j].z, -adj_d.z);
                        }
                }
            }
        }

        // 47:  vi = vel[i]
        atomicAdd(&adj_vel[i].x, adj_vi.x);
        atomicAdd(&adj_vel[i].y, adj_vi.y);
        atomicAdd(&adj_vel[i].z, adj_vi.z);

        // 47:  const float3 xi = pos[i]
        atomicAdd(&adj_pos[i].x, adj_xi.x);
        atomicAdd(&adj_pos[i].y, adj_xi.y);
        atomicAdd(&adj_pos[i].z, adj_xi.z);
    }
    block_add(&adj_fluid->mass, adj_fluid_mass_sum);
    block_add(&adj_fluid->rest_density, adj_fluid_rest_density_sum);
    block_add(&adj_fluid->stiffness, adj_fluid_stiffness_sum);
    block_add(&adj_fluid->viscosity, adj_fluid_viscosity_sum);
    block_add(&adj_fluid->h, adj_fluid_h_sum);
}
