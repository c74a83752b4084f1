// lennard_jones_adj: adjoint of lennard_jones (lennard_jones.cu:20).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lennard_jones.cu --of force --wrt pos,epsilon,sigma
//
// Call with pos, kind, n_neigh, neigh, epsilon and sigma as they were before
// lennard_jones. Seed adj_force with dJ/dforce: it is left alone, because lennard_jones
// stores each element of force at most once. dJ/dpos is added to adj_pos; dJ/depsilon
// is added to adj_epsilon; dJ/dsigma is added to adj_sigma. force is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   here.x, here.y, here.z   reloaded     still in its variable
//   j, d.x, d.y, d.z, r2,    recomputed   from values at hand, in the reversed
//                                         iteration
//   pair, s2, s6, s
//   sigma[..], epsilon[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_pos[..].x     atomicAdd   neigh may repeat
//   adj_pos[..].y     atomicAdd   neigh may repeat
//   adj_pos[..].z     atomicAdd   neigh may repeat
//   adj_sigma[..]     atomicAdd   kind may repeat
//   adj_epsilon[..]   atomicAdd   kind may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Box {
    float3 size;
};

static __host__ __device__ __forceinline__ float sq(float x)
{
    return x * x;
}

static __device__ float sq_adj(float x, float adj_sq)
{
    // vec.cuh:26:  return x * x
    return 2.0f * x * adj_sq;
}

extern "C" __global__ void lennard_jones_adj(const float3 *__restrict__ pos, float3 *adj_pos,
                                             const int *__restrict__ kind,
                                             const int *__restrict__ n_neigh,
                                             const int *__restrict__ neigh,
                                             const float *__restrict__ epsilon,
                                             float *__restrict__ adj_epsilon,
                                             const float *__restrict__ sigma,
                                             float *__restrict__ adj_sigma,
                                             float4 *__restrict__ force, const float4 *adj_force,
                                             Box box, float r_cut, int n, int kinds)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    const float3 here = pos[i];

    // 45:  force[i] = make_float4(f.x, f.y, f.z, energy)
    float adj_energy = adj_force[i].w;
    float3 adj_f = make_float3(adj_force[i].x, adj_force[i].y, adj_force[i].z);
    float3 adj_here = {};
    for (int k = 0; k < n_neigh[i]; ++k) {
        const int j = neigh[k * n + i];
        float3 d = make_float3(here.x - pos[j].x, here.y - pos[j].y, here.z - pos[j].z);
        d.x -= box.size.x * rintf(d.x / box.size.x);
        d.y -= box.size.y * rintf(d.y / box.size.y);
        d.z -= box.size.z * rintf(d.z / box.size.z);
        const float3 d_2 = d;
        const float r2 = d_2.x * d_2.x + d_2.y * d_2.y + d_2.z * d_2.z;
        float adj_r2 = 0.0f;
        float3 adj_d = {};
        if (!(r2 >= r_cut * r_cut)) {
            const int pair = kind[i] * kinds + kind[j];
            const float s2 = sq(sigma[pair]) / r2;
            const float s6 = s2 * s2 * s2;
            float s = 24.0f * epsilon[pair] * s6 * (2.0f * s6 - 1.0f) / r2;

            // 43:  energy += 2.0f * epsilon[pair] * s6 * (s6 - 1.0f)
            float g = (s6 - 1.0f) * adj_energy;
            float adj_epsilon_pair = 2.0f * s6 * g;
            float adj_s6 = 2.0f * epsilon[pair] * g + 2.0f * epsilon[pair] * s6 * adj_energy;

            // 42:  f += (24.0f * epsilon[pair] * s6 * (2.0f * s6 - 1.0f) / r2) * d
            adj_d = make_float3(s * adj_f.x, s * adj_f.y, s * adj_f.z);

            // 42:  24.0f * epsilon[pair] * s6 * (2.0f * s6 - 1.0f) / r2
            float g_2 = (d_2.z * adj_f.z + d_2.y * adj_f.y + d_2.x * adj_f.x) / r2;
            float g_3 = (2.0f * s6 - 1.0f) * g_2;
            atomicAdd(&adj_epsilon[pair], adj_epsilon_pair + 24.0f * s6 * g_3);
            adj_s6 += 24.0f * epsilon[pair] * g_3 + 2.0f * (24.0f * epsilon[pair] * s6) * g_2;
            adj_r2 = -(s * g_2);

            // 40:  const float s2 = sq(sigma[pair]) / r2
            float g_4 = 3.0f * s2 * s2 * adj_s6 / r2;
            atomicAdd(&adj_sigma[pair], sq_adj(sigma[pair], g_4));
            adj_r2 -= s2 * g_4;
        }

        // 36:  const float r2 = dot(d, d)
        adj_d.x += 2.0f * d_2.x * adj_r2;
        adj_d.y += 2.0f * d_2.y * adj_r2;
        adj_d.z += 2.0f * d_2.z * adj_r2;

        // 35:  here - pos[j]
        adj_here.x += adj_d.x;
        atomicAdd(&adj_pos[j].x, -adj_d.x);
        adj_here.y += adj_d.y;
        atomicAdd(&adj_pos[j].y, -adj_d.y);
        adj_here.z += adj_d.z;
        atomicAdd(&adj_pos[j].z, -adj_d.z);
    }

    // 30:  const float3 here = pos[i]
    atomicAdd(&adj_pos[i].x, adj_here.x);
    atomicAdd(&adj_pos[i].y, adj_here.y);
    atomicAdd(&adj_pos[i].z, adj_here.z);
}
