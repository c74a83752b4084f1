// nbody_adj: adjoint of nbody (nbody_vectors.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform nbody_vectors.cu --of acc --wrt bodies
//
// Call with bodies as it was before nbody. Seed adj_acc with dJ/dacc: it is left alone,
// because nbody stores each element of acc at most once. dJ/dbodies is added to
// adj_bodies. acc is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   me.x, me.y, me.z        reloaded     still in its variable
//   d.x, d.y, d.z, inv, s   recomputed   from values at hand, in the reversed iteration
//   bodies[..].w            reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_bodies[..].x   atomicAdd   every thread reads the same bodies[j].x
//   adj_bodies[..].y   atomicAdd   every thread reads the same bodies[j].y
//   adj_bodies[..].z   atomicAdd   every thread reads the same bodies[j].z
//   adj_bodies[..].w   atomicAdd   every thread reads the same bodies[j].w
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void nbody_adj(const float4 *bodies, float4 *adj_bodies,
                          float3 *acc, const float3 *adj_acc, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = bodies[i];

    // 22:  acc[i] = a
    float3 adj_a = adj_acc[i];
    float4 adj_me = {};
    for (int j = 0; j < n; ++j) {
        float3 d;
        d.x = bodies[j].x - me.x;
        d.y = bodies[j].y - me.y;
        d.z = bodies[j].z - me.z;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z + soft;
        float inv = rsqrtf(r2);
        float s = bodies[j].w * inv * inv * inv;

        // 20:  a.z += d.z * s
        float3 adj_d;
        adj_d.z = s * adj_a.z;
        float adj_s = d.z * adj_a.z;

        // 19:  a.y += d.y * s
        adj_d.y = s * adj_a.y;
        adj_s += d.y * adj_a.y;

        // 18:  a.x += d.x * s
        adj_d.x = s * adj_a.x;
        adj_s += d.x * adj_a.x;

        // 17:  float s = bodies[j].w * inv * inv * inv
        atomicAdd(&adj_bodies[j].w, inv * inv * inv * adj_s);
        // 16:  float inv = rsqrtf(r2)
        float adj_r2 = -0.5f * inv * inv * inv * 3.0f * bodies[j].w * inv * inv * adj_s;

        // 15:  float r2 = d.x * d.x + d.y * d.y + d.z * d.z + soft
        adj_d.x += 2.0f * d.x * adj_r2;
        adj_d.y += 2.0f * d.y * adj_r2;
        adj_d.z += 2.0f * d.z * adj_r2;

        // 14:  d.z = bodies[j].z - me.z
        atomicAdd(&adj_bodies[j].z, adj_d.z);
        adj_me.z -= adj_d.z;

        // 13:  d.y = bodies[j].y - me.y
        atomicAdd(&adj_bodies[j].y, adj_d.y);
        adj_me.y -= adj_d.y;

        // 12:  d.x = bodies[j].x - me.x
        atomicAdd(&adj_bodies[j].x, adj_d.x);
        adj_me.x -= adj_d.x;
    }

    // 8:  float4 me = bodies[i]
    atomicAdd(&adj_bodies[i].x, adj_me.x);
    atomicAdd(&adj_bodies[i].y, adj_me.y);
    atomicAdd(&adj_bodies[i].z, adj_me.z);
}
