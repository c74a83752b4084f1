// angle_forces_adj: adjoint of angle_forces (angle_forces.cu:19).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform angle_forces.cu --of force,energy --wrt pos,kinds,force,energy
//
// Call with pos, angles and kinds as they were before angle_forces. adj_force comes in
// as dJ/dforce after angle_forces and goes out as dJ/dforce before it, element by
// element. adj_energy comes in as dJ/denergy after angle_forces and goes out as
// dJ/denergy before it, element by element. dJ/dpos is added to adj_pos; dJ/dkinds is
// added to adj_kinds. force and energy are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   kind.stiffness, u.x, u.y,   reloaded   still in its variable
//   u.z, v.x, v.y, v.z,
//   inv_u, inv_v, c, stretch,
//   slope, s (line 36),
//   s (line 37)
//
// How adjoints are added up:
//   adj_kinds[..].stiffness   atomicAdd       angles.kind may repeat
//   adj_kinds[..].rest        atomicAdd       angles.kind may repeat
//   adj_pos[..].x             atomicAdd       angles.i may repeat
//   adj_pos[..].y             atomicAdd       angles.i may repeat
//   adj_pos[..].z             atomicAdd       angles.i may repeat
//   adj_total                 sum per block   each thread's value is in the block's sum
//                                             once
//
// At kinks and singular points:
//   acosf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: blockDim.y and blockDim.z are 1, arrays don't overlap, no index wraps.

#define BLOCK 64

struct Angle {
    int i, j, k;  // j is in the middle
    int kind;
};
struct AngleKind {
    float stiffness, rest;
};

// The sum of what the block's 64 threads bring, for each of them. All of them call it, once.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

static __host__ __device__ __forceinline__ float clamp(float x, float low, float high)
{
    return fminf(fmaxf(x, low), high);
}

static __device__ float clamp_adj_x_1(float x, float low, float high, float adj_clamp)
{
    float adj_x = 0.0f;

    // vec.cuh:27:  return fminf(fmaxf(x, low), high)
    if (fminf(fmaxf(x, low), high) == fmaxf(x, low) && fmaxf(x, low) == x)
        adj_x = adj_clamp;
    return adj_x;
}

extern "C" __global__ void angle_forces_adj(const float3 *__restrict__ pos, float3 *adj_pos,
                                            const Angle *__restrict__ angles,
                                            const AngleKind *__restrict__ kinds,
                                            AngleKind *adj_kinds,
                                            float3 *force, float3 *adj_force,
                                            float *energy, float *adj_energy, int n_angles)
{
    // For blocks of one row, as threads are told apart by threadIdx.x alone; any other gets NaN.
    if (blockDim.y * blockDim.z != 1) {
        adj_pos[0] = make_float3(nanf(""), nanf(""), nanf(""));
        adj_kinds->stiffness = nanf("");
        adj_kinds->rest = nanf("");
        adj_force[0] = make_float3(nanf(""), nanf(""), nanf(""));
        adj_energy[0] = nanf("");
        return;
    }
    const int a = blockIdx.x * BLOCK + threadIdx.x;

    float adj_total = 0.0f;
    if (threadIdx.x == 0) {
        // 44:  atomicAdd(energy, total)
        adj_total = *adj_energy;
    }

    // 42:  block_sum<BLOCK>(e)
    float adj_e = block_sum(adj_total);
    if (a < n_angles) {
        const Angle angle = angles[a];
        const AngleKind kind = kinds[angle.kind];
        const float3 u = make_float3(pos[angle.i].x - pos[angle.j].x,
                                     pos[angle.i].y - pos[angle.j].y,
                                     pos[angle.i].z - pos[angle.j].z);
        const float3 v = make_float3(pos[angle.k].x - pos[angle.j].x,
                                     pos[angle.k].y - pos[angle.j].y,
                                     pos[angle.k].z - pos[angle.j].z);
        const float inv_u = rsqrtf(u.x * u.x + u.y * u.y + u.z * u.z);
        const float inv_v = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
        const float c = clamp((u.x * v.x + u.y * v.y + u.z * v.z) * inv_u * inv_v, -0.9999f,
                              0.9999f);
        const float stretch = acosf(c) - kind.rest;

        const float slope = kind.stiffness * stretch * rsqrtf(1.0f - c * c);  // -dE/dc
        float s = slope * inv_u;
        float s_2 = c * inv_u;
        float s_3 = slope * inv_v;
        float s_4 = c * inv_v;

        // vec.cuh:37:  atomicAdd(&where->z, v.z)
        float3 adj_v;
        adj_v.z = adj_force[angle.j].z;

        // vec.cuh:36:  atomicAdd(&where->y, v.y)
        adj_v.y = adj_force[angle.j].y;
        // vec.cuh:35:  atomicAdd(&where->x, v.x)
        adj_v.x = adj_force[angle.j].x;

        // 40:  -(fi + fk)
        float3 adj_fi;
        adj_fi.z = -adj_v.z;
        float3 adj_fk;
        adj_fk.z = -adj_v.z;
        adj_fi.y = -adj_v.y;
        adj_fk.y = -adj_v.y;
        adj_fi.x = -adj_v.x;
        adj_fk.x = -adj_v.x;

        // vec.cuh:37:  atomicAdd(&where->z, v.z)
        adj_fk.z += adj_force[angle.k].z;
        // vec.cuh:36:  atomicAdd(&where->y, v.y)
        adj_fk.y += adj_force[angle.k].y;
        // vec.cuh:35:  atomicAdd(&where->x, v.x)
        adj_fk.x += adj_force[angle.k].x;
        // vec.cuh:37:  atomicAdd(&where->z, v.z)
        adj_fi.z += adj_force[angle.i].z;
        // vec.cuh:36:  atomicAdd(&where->y, v.y)
        adj_fi.y += adj_force[angle.i].y;
        // vec.cuh:35:  atomicAdd(&where->x, v.x)
        adj_fi.x += adj_force[angle.i].x;

        // 37:  const float3 fk = slope * inv_v * (inv_u * u - c * inv_v * v)
        float adj_s_3 = (inv_u * u.z - s_4 * v.z) * adj_fk.z + (inv_u * u.y - s_4 * v.y) * adj_fk.y
                        + (inv_u * u.x - s_4 * v.x) * adj_fk.x;
        float g = s_3 * adj_fk.z;
        float adj_inv_u = u.z * g;
        float3 adj_u;
        adj_u.z = inv_u * g;
        float adj_s_4 = -(v.z * g);
        float3 adj_v_2;
        adj_v_2.z = -(s_4 * g);
        float g_2 = s_3 * adj_fk.y;
        adj_inv_u += u.y * g_2;
        adj_u.y = inv_u * g_2;
        adj_s_4 -= v.y * g_2;
        adj_v_2.y = -(s_4 * g_2);
        float g_3 = s_3 * adj_fk.x;
        adj_inv_u += u.x * g_3;
        adj_u.x = inv_u * g_3;
        adj_s_4 -= v.x * g_3;
        adj_v_2.x = -(s_4 * g_3);

        // 37:  c * inv_v
        float adj_c = inv_v * adj_s_4;
        float adj_inv_v = c * adj_s_4;

        // 37:  slope * inv_v
        float adj_slope = inv_v * adj_s_3;
        adj_inv_v += slope * adj_s_3;

        // 36:  const float3 fi = slope * inv_u * (inv_v * v - c * inv_u * u)
        float adj_s = (inv_v * v.z - s_2 * u.z) * adj_fi.z + (inv_v * v.y - s_2 * u.y) * adj_fi.y
                      + (inv_v * v.x - s_2 * u.x) * adj_fi.x;
        float g_4 = s * adj_fi.z;
        adj_inv_v += v.z * g_4;
        adj_v_2.z += inv_v * g_4;
        float adj_s_2 = -(u.z * g_4);
        adj_u.z -= s_2 * g_4;
        float g_5 = s * adj_fi.y;
        adj_inv_v += v.y * g_5;
        adj_v_2.y += inv_v * g_5;
        adj_s_2 -= u.y * g_5;
        adj_u.y -= s_2 * g_5;
        float g_6 = s * adj_fi.x;
        adj_inv_v += v.x * g_6;
        adj_v_2.x += inv_v * g_6;
        adj_s_2 -= u.x * g_6;
        adj_u.x -= s_2 * g_6;

        // 36:  c * inv_u
        adj_c += inv_u * adj_s_2;
        adj_inv_u += c * adj_s_2;

        // 36:  slope * inv_u
        adj_slope += inv_u * adj_s;
        adj_inv_u += slope * adj_s;

        // 35:  const float slope = kind.stiffness * stretch * rsqrtf(1.0f - c * c)
        float r = rsqrtf(1.0f - c * c);
        float g_7 = r * adj_slope;
        AngleKind adj_kind;
        adj_kind.stiffness = stretch * g_7;
        float adj_stretch = kind.stiffness * g_7;
        adj_c += kind.stiffness * stretch * r * r * r * c * adj_slope;

        // 33:  e = 0.5f * kind.stiffness * stretch * stretch
        adj_kind.stiffness += 0.5f * stretch * stretch * adj_e;
        adj_stretch += kind.stiffness * stretch * adj_e;

        // 32:  const float stretch = acosf(c) - kind.rest
        if (adj_stretch != 0.0f)
            adj_c -= rsqrtf((1.0f - c) * (1.0f + c)) * adj_stretch;

        // 31:  const float c = clamp(dot(u, v) * inv_u * inv_v, -0.9999f, 0.9999f)
        float g_8 = clamp_adj_x_1((u.x * v.x + u.y * v.y + u.z * v.z) * inv_u * inv_v, -0.9999f,
                                  0.9999f, adj_c);
        float g_9 = inv_v * g_8;
        float g_10 = inv_u * g_9;
        adj_u.x += v.x * g_10;
        adj_v_2.x += u.x * g_10;
        adj_u.y += v.y * g_10;
        adj_v_2.y += u.y * g_10;
        adj_u.z += v.z * g_10;
        adj_v_2.z += u.z * g_10;
        adj_inv_u += (u.x * v.x + u.y * v.y + u.z * v.z) * g_9;
        adj_inv_v += (u.x * v.x + u.y * v.y + u.z * v.z) * inv_u * g_8;

        // 30:  inv_v = rsqrtf(dot(v, v))
        float g_11 = -0.5f * inv_v * inv_v * inv_v * adj_inv_v;
        adj_v_2.x += 2.0f * v.x * g_11;
        adj_v_2.y += 2.0f * v.y * g_11;
        adj_v_2.z += 2.0f * v.z * g_11;

        // 30:  const float inv_u = rsqrtf(dot(u, u))
        float g_12 = -0.5f * inv_u * inv_u * inv_u * adj_inv_u;
        adj_u.x += 2.0f * u.x * g_12;
        adj_u.y += 2.0f * u.y * g_12;
        adj_u.z += 2.0f * u.z * g_12;

        // 29:  const float3 v = pos[angle.k] - pos[angle.j]
        atomicAdd(&adj_pos[angle.k].z, adj_v_2.z);
        float adj_pos_z_angle_j = -adj_v_2.z;
        atomicAdd(&adj_pos[angle.k].y, adj_v_2.y);
        float adj_pos_y_angle_j = -adj_v_2.y;
        atomicAdd(&adj_pos[angle.k].x, adj_v_2.x);
        float adj_pos_x_angle_j = -adj_v_2.x;

        // 28:  const float3 u = pos[angle.i] - pos[angle.j]
        atomicAdd(&adj_pos[angle.i].z, adj_u.z);
        atomicAdd(&adj_pos[angle.j].z, adj_pos_z_angle_j - adj_u.z);
        atomicAdd(&adj_pos[angle.i].y, adj_u.y);
        atomicAdd(&adj_pos[angle.j].y, adj_pos_y_angle_j - adj_u.y);
        atomicAdd(&adj_pos[angle.i].x, adj_u.x);
        atomicAdd(&adj_pos[angle.j].x, adj_pos_x_angle_j - adj_u.x);

        // 27:  const AngleKind kind = kinds[angle.kind]
        atomicAdd(&adj_kinds[angle.kind].stiffness, adj_kind.stiffness);
        atomicAdd(&adj_kinds[angle.kind].rest, -adj_stretch);
    }
}
