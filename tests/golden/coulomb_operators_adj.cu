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
//   adj_pos[..].x    reduced per block   every thread reads b.x and pos[j]
//   adj_pos[..].x    atomicAdd           other threads add to pos[i].x too
//   adj_pos[..].y    reduced per block   every thread reads b.y and pos[j]
//   adj_pos[..].y    atomicAdd           other threads add to pos[i].y too
//   adj_pos[..].z    reduced per block   every thread reads b.z and pos[j]
//   adj_pos[..].z    atomicAdd           other threads add to pos[i].z too
//   adj_charge[..]   reduced per block   every thread reads the same charge[j]
//   adj_charge[..]   atomicAdd           other threads add to charge[i] too
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

extern "C" __global__ void coulomb_adj(const float3 *__restrict__ pos, float3 *adj_pos,
                                       const float *__restrict__ charge,
                                       float *__restrict__ adj_charge,
                                       float3 *force, const float3 *adj_force, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float3 pi;
    float3 adj_f;
    float3 adj_pi;
    float adj_charge_sum_2;
    if (i < n) {
        pi = pos[i];

        // 49:  force[i] = f
        adj_f = adj_force[i];
        adj_pi = make_float3(0.0f, 0.0f, 0.0f);
        adj_charge_sum_2 = 0.0f;
    }
    for (int j = 0; j < n; ++j) {
        float adj_pos_z_sum = 0.0f;
        float adj_pos_y_sum = 0.0f;
        float adj_pos_x_sum = 0.0f;
        float adj_charge_sum = 0.0f;
        if (i < n) {
            float3 d = make_float3(pi.x - pos[j].x, pi.y - pos[j].y, pi.z - pos[j].z);
            float r2 = d.x * d.x + d.y * d.y + d.z * d.z + soft;
            float s = charge[i] * charge[j] / (r2 * sqrtf(r2));
            float3 v = make_float3(pi.x + pos[j].x, pi.y + pos[j].y, pi.z + pos[j].z);
            float inv = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
            float3 b = make_float3(inv * v.x, inv * v.y, inv * v.z);

            // 47:  f += s * d + 0.1f * cross(d, normalize(pi + pos[j]))
            float3 adj_d;
            adj_d.z = s * adj_f.z;
            float g = 0.1f * adj_f.z;
            adj_d.x = b.y * g;
            float3 adj_b;
            adj_b.y = d.x * g;
            adj_d.y = s * adj_f.y - b.x * g;
            adj_b.x = -(d.y * g);
            float g_2 = 0.1f * adj_f.y;
            adj_b.x += d.z * g_2;
            adj_d.x += s * adj_f.x - b.z * g_2;
            adj_d.z += b.x * g_2;
            adj_b.z = -(d.x * g_2);
            float g_3 = 0.1f * adj_f.x;
            adj_d.y += b.z * g_3;
            adj_b.y -= d.z * g_3;
            adj_b.z += d.y * g_3;
            adj_d.z -= b.y * g_3;

            // 47:  normalize(pi + pos[j])
            float3 adj_v = make_float3(inv * adj_b.x, inv * adj_b.y, inv * adj_b.z);

            // 31:  float inv = rsqrtf(dot(v, v))
            float g_4 = -0.5f * inv * inv * inv * (v.z * adj_b.z + v.y * adj_b.y + v.x * adj_b.x);
            adj_v.x += 2.0f * v.x * g_4;
            adj_v.y += 2.0f * v.y * g_4;
            adj_v.z += 2.0f * v.z * g_4;

            // 47:  pi + pos[j]
            adj_pi.z += adj_v.z;
            adj_pos_z_sum = adj_v.z;
            adj_pi.y += adj_v.y;
            adj_pos_y_sum = adj_v.y;
            adj_pi.x += adj_v.x;
            adj_pos_x_sum = adj_v.x;

            // 46:  float s = charge[i] * charge[j] / (r2 * sqrtf(r2))
            float g_5 = (d.z * adj_f.z + d.y * adj_f.y + d.x * adj_f.x) / (r2 * sqrtf(r2));
            adj_charge_sum_2 += charge[j] * g_5;
            adj_charge_sum = charge[i] * g_5;
            float g_6 = -(s * g_5);
            float adj_r2 = sqrtf(r2) * g_6;
            float g_7 = r2 * g_6;
            if (g_7 != 0.0f)
                adj_r2 += 0.5f * g_7 * rsqrtf(r2);

            // 45:  float r2 = dot(d, d) + soft
            adj_d.x += 2.0f * d.x * adj_r2;
            adj_d.y += 2.0f * d.y * adj_r2;
            adj_d.z += 2.0f * d.z * adj_r2;

            // 44:  float3 d = pi - pos[j]
            adj_pi.z += adj_d.z;
            adj_pos_z_sum -= adj_d.z;
            adj_pi.y += adj_d.y;
            adj_pos_y_sum -= adj_d.y;
            adj_pi.x += adj_d.x;
            adj_pos_x_sum -= adj_d.x;
        }
        block_add(&adj_pos[j].x, adj_pos_x_sum);
        block_add(&adj_pos[j].y, adj_pos_y_sum);
        block_add(&adj_pos[j].z, adj_pos_z_sum);
        block_add(&adj_charge[j], adj_charge_sum);
    }
    if (i < n) {
        // what the iterations owe, added once
        if (adj_charge_sum_2 != 0.0f)
            atomicAdd(&adj_charge[i], adj_charge_sum_2);

        // 41:  float3 pi = pos[i]
        atomicAdd(&adj_pos[i].x, adj_pi.x);
        atomicAdd(&adj_pos[i].y, adj_pi.y);
        atomicAdd(&adj_pos[i].z, adj_pi.z);
    }
}
