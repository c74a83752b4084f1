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
//   adj_bodies[..].x   reduced per block   every thread reads the same bodies[j].x
//   adj_bodies[..].x   atomicAdd           other threads add to bodies[i].x too
//   adj_bodies[..].y   reduced per block   every thread reads the same bodies[j].y
//   adj_bodies[..].y   atomicAdd           other threads add to bodies[i].y too
//   adj_bodies[..].z   reduced per block   every thread reads the same bodies[j].z
//   adj_bodies[..].z   atomicAdd           other threads add to bodies[i].z too
//   adj_bodies[..].w   reduced per block   every thread reads the same bodies[j].w
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

__global__ void nbody_adj(const float4 *bodies, float4 *adj_bodies,
                          float3 *acc, const float3 *adj_acc, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me;
    float3 adj_a;
    float4 adj_me;
    if (i < n) {
        me.x = bodies[i].x;
        me.y = bodies[i].y;
        me.z = bodies[i].z;

        // 22:  acc[i] = a
        adj_a = adj_acc[i];
        adj_me.x = 0.0f;
        adj_me.y = 0.0f;
        adj_me.z = 0.0f;
    }
    for (int j = 0; j < n; ++j) {
        float adj_bodies_w_sum = 0.0f;
        float adj_bodies_z_sum = 0.0f;
        float adj_bodies_y_sum = 0.0f;
        float adj_bodies_x_sum = 0.0f;
        if (i < n) {
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
            adj_bodies_w_sum = inv * inv * inv * adj_s;
            // 16:  float inv = rsqrtf(r2)
            float adj_r2 = -0.5f * inv * inv * inv * 3.0f * bodies[j].w * inv * inv * adj_s;

            // 15:  float r2 = d.x * d.x + d.y * d.y + d.z * d.z + soft
            adj_d.x += 2.0f * d.x * adj_r2;
            adj_d.y += 2.0f * d.y * adj_r2;
            adj_d.z += 2.0f * d.z * adj_r2;

            // 14:  d.z = bodies[j].z - me.z
            adj_bodies_z_sum = adj_d.z;
            adj_me.z -= adj_d.z;

            // 13:  d.y = bodies[j].y - me.y
            adj_bodies_y_sum = adj_d.y;
            adj_me.y -= adj_d.y;

            // 12:  d.x = bodies[j].x - me.x
            adj_bodies_x_sum = adj_d.x;
            adj_me.x -= adj_d.x;
        }
        block_add(&adj_bodies[j].x, adj_bodies_x_sum);
        block_add(&adj_bodies[j].y, adj_bodies_y_sum);
        block_add(&adj_bodies[j].z, adj_bodies_z_sum);
        block_add(&adj_bodies[j].w, adj_bodies_w_sum);
    }
    if (i < n) {
        // 8:  float4 me = bodies[i]
        atomicAdd(&adj_bodies[i].x, adj_me.x);
        atomicAdd(&adj_bodies[i].y, adj_me.y);
        atomicAdd(&adj_bodies[i].z, adj_me.z);
    }
}
