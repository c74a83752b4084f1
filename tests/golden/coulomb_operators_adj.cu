// coulomb_adj: adjoint of coulomb (coulomb_operators.cu:35).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform coulomb_operators.cu --of force --wrt pos,charge
//
// Call with pos and charge as they were before coulomb. Seed adj_force with dJ/dforce:
// it is left alone, because coulomb stores each element of force at most once. dJ/dpos
// is added to adj_pos; dJ/dcharge is added to adj_charge. force is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   pi.x, pi.y, pi.z           reloaded     still in its variable
//   d.x, d.y, d.z, r2, s,      recomputed   from values at hand, in the reversed
//                                           iteration
//   v.x, v.y, v.z, inv, b.x,
//   b.y, b.z
//   charge[..]                 reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_pos[..].x    atomicAdd   every thread reads the same b.x
//   adj_pos[..].y    atomicAdd   every thread reads the same b.y
//   adj_pos[..].z    atomicAdd   every thread reads the same b.z
//   adj_charge[..]   atomicAdd   every thread reads the same charge[j]
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void coulomb_adj(const float3 *__restrict__ pos, float3 *adj_pos,
                                       const float *__restrict__ charge,
                                       float *__restrict__ adj_charge,
                                       float3 *force, const float3 *adj_force, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float3 pi = pos[i];

    // 49:  force[i] = f
    float3 adj_f = adj_force[i];
    float3 adj_pi = {};
    for (int j = 0; j < n; ++j) {
        float3 d = make_float3(pi.x - pos[j].x, pi.y - pos[j].y, pi.z - pos[j].z);
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z + soft;
        float s = charge[i] * charge[j] / (r2 * sqrtf(r2));
        float3 v = make_float3(pi.x + pos[j].x, pi.y + pos[j].y, pi.z + pos[j].z);
        float inv = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z);

        float3 b = make_float3(inv * v.x, inv * v.y, inv * v.z);

        // 47:  f += s * d + 0.1f * cross(d, normalize(pi + pos[j]))
        float adj_s = d.z * adj_f.z;
        float3 adj_d;
        adj_d.z = s * adj_f.z;
        float g = 0.1f * adj_f.z;
        adj_d.x = b.y * g;
        float3 adj_b;
        adj_b.y = d.x * g;
        adj_d.y = -(b.x * g);
        adj_b.x = -(d.y * g);
        adj_s += d.y * adj_f.y;
        adj_d.y += s * adj_f.y;
        float g_2 = 0.1f * adj_f.y;
        adj_b.x += d.z * g_2;
        adj_d.x -= b.z * g_2;
        adj_d.z += b.x * g_2;
        adj_b.z = -(d.x * g_2);
        adj_s += d.x * adj_f.x;
        adj_d.x += s * adj_f.x;
        float g_3 = 0.1f * adj_f.x;
        adj_d.y += b.z * g_3;
        adj_b.y -= d.z * g_3;
        adj_b.z += d.y * g_3;
        adj_d.z -= b.y * g_3;

        // 47:  normalize(pi + pos[j])
        float adj_inv = v.z * adj_b.z;
        float3 adj_v;
        adj_v.z = inv * adj_b.z;
        adj_inv += v.y * adj_b.y;
        adj_v.y = inv * adj_b.y;
        adj_inv += v.x * adj_b.x;
        adj_v.x = inv * adj_b.x;

        // 31:  float inv = rsqrtf(dot(v, v))
        float g_4 = -0.5f * inv * inv * inv * adj_inv;
        adj_v.x += 2.0f * v.x * g_4;
        adj_v.y += 2.0f * v.y * g_4;
        adj_v.z += 2.0f * v.z * g_4;

        // 47:  pi + pos[j]
        adj_pi.x += adj_v.x;
        atomicAdd(&adj_pos[j].x, adj_v.x);
        adj_pi.y += adj_v.y;
        atomicAdd(&adj_pos[j].y, adj_v.y);
        adj_pi.z += adj_v.z;
        atomicAdd(&adj_pos[j].z, adj_v.z);

        // 46:  float s = charge[i] * charge[j] / (r2 * sqrtf(r2))
        float g_5 = adj_s / (r2 * sqrtf(r2));
        atomicAdd(&adj_charge[i], charge[j] * g_5);
        atomicAdd(&adj_charge[j], charge[i] * g_5);
        float g_6 = -(s * g_5);
        float adj_r2 = sqrtf(r2) * g_6;
        float g_7 = r2 * g_6;
        if (g_7 != 0.0f)
            adj_r2 += 0.5f * g_7 / sqrtf(r2);

        // 45:  float r2 = dot(d, d) + soft
        adj_d.x += 2.0f * d.x * adj_r2;
        adj_d.y += 2.0f * d.y * adj_r2;
        adj_d.z += 2.0f * d.z * adj_r2;

        // 44:  float3 d = pi - pos[j]
        adj_pi.x += adj_d.x;
        atomicAdd(&adj_pos[j].x, -adj_d.x);
        adj_pi.y += adj_d.y;
        atomicAdd(&adj_pos[j].y, -adj_d.y);
        adj_pi.z += adj_d.z;
        atomicAdd(&adj_pos[j].z, -adj_d.z);
    }

    // 41:  float3 pi = pos[i]
    atomicAdd(&adj_pos[i].x, adj_pi.x);
    atomicAdd(&adj_pos[i].y, adj_pi.y);
    atomicAdd(&adj_pos[i].z, adj_pi.z);
}
