// attract_adj: adjoint of attract (body_pointers.cu:18).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform body_pointers.cu --of force --wrt bodies
//
// Call with bodies as it was before attract. Seed adj_force with dJ/dforce: it is left
// alone, because attract stores each element of force at most once. dJ/dbodies is added
// to adj_bodies. force is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum.x, sum.y, sum.z      reloaded     still in its variable
//   slot_at, j, b_at, d.x,   recomputed   from values at hand, in the reversed
//                                         iteration
//   d.y, d.z, q, s
//   tile[..].w               reloaded     no later store goes to it
//   bodies[..].mass          reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_bodies[..].pos.x   atomicAdd           not proved that two threads never meet
//                                              in b->pos.x and a->pos.x
//   adj_bodies[..].pos.y   atomicAdd           not proved that two threads never meet
//                                              in b->pos.y and a->pos.y
//   adj_bodies[..].pos.z   atomicAdd           not proved that two threads never meet
//                                              in b->pos.z and a->pos.z
//   adj_bodies[..].mass    atomicAdd           not proved that two threads never meet
//                                              in b->mass and me->mass
//   adj_tile[..].x         reduced per block   every thread reads the same b->x
//   adj_tile[..].y         reduced per block   every thread reads the same b->y
//   adj_tile[..].z         reduced per block   every thread reads the same b->z
//   adj_tile[..].w         reduced per block   every thread reads the same b->w
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Body {
    float3 pos;
    float mass;
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

extern "C" __global__ void attract_adj(const Body *bodies, Body *adj_bodies,
                                       float3 *force, const float3 *adj_force, int n)
{
    __shared__ float4 tile[64];
    __shared__ float4 adj_tile[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x) {
        adj_tile[q].x = 0.0f;
        adj_tile[q].y = 0.0f;
        adj_tile[q].z = 0.0f;
        adj_tile[q].w = 0.0f;
    }

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int me_at = min(i, n - 1);
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += 64) {
        for (int k = 0; k < 2; k++) {
            const long slot_at = (long)(32 * k) + threadIdx.x;
            int j = first + 32 * k + threadIdx.x;
            const int b_at = min(j, n - 1);
            tile[slot_at].x = bodies[b_at].pos.x;
            tile[slot_at].y = bodies[b_at].pos.y;
            tile[slot_at].z = bodies[b_at].pos.z;
            tile[slot_at].w = j < n ? bodies[b_at].mass : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 64; k++) {
            float3 d = make_float3(tile[k].x - bodies[me_at].pos.x, tile[k].y - bodies[me_at].pos.y,
                                   tile[k].z - bodies[me_at].pos.z);
            float q = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 0.05f);
            float s = tile[k].w * q * q * q;
            sum.x += s * d.x;
            sum.y += s * d.y;
            sum.z += s * d.z;
        }
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    float3 adj_sum = {};
    if (i < n) {
        // 43:  (*out).z = sum.z * me->mass
        float g = adj_force[i].z;
        adj_sum.z = bodies[me_at].mass * g;
        float adj_bodies_mass_me_at = sum.z * g;

        // 42:  out->y = sum.y * me->mass
        float g_2 = adj_force[i].y;
        adj_sum.y = bodies[me_at].mass * g_2;
        adj_bodies_mass_me_at += sum.y * g_2;

        // 41:  out->x = sum.x * me->mass
        float g_3 = adj_force[i].x;
        adj_sum.x = bodies[me_at].mass * g_3;
        atomicAdd(&adj_bodies[me_at].mass, adj_bodies_mass_me_at + sum.x * g_3);
    }
    float adj_bodies_pos_z_sum = 0.0f;
    float adj_bodies_pos_y_sum = 0.0f;
    float adj_bodies_pos_x_sum = 0.0f;
    for (int first = (n + 63) / 64 * 64 - 64; first >= 0; first -= 64) {
        for (int k = 0; k < 2; k++) {
            const long slot_at = (long)(32 * k) + threadIdx.x;
            int j = first + 32 * k + threadIdx.x;
            const int b_at = min(j, n - 1);
            tile[slot_at].x = bodies[b_at].pos.x;
            tile[slot_at].y = bodies[b_at].pos.y;
            tile[slot_at].z = bodies[b_at].pos.z;
            tile[slot_at].w = j < n ? bodies[b_at].mass : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 64; ++k) {
            float d_x = tile[k].x - bodies[me_at].pos.x;
            float d_y = tile[k].y - bodies[me_at].pos.y;
            float d_z = tile[k].z - bodies[me_at].pos.z;
            float q = rsqrtf(d_x * d_x + d_y * d_y + d_z * d_z + 0.05f);
            float s = tile[k].w * q * q * q;

            // 15:  f->z += s * d.z
            float adj_s = d_z * adj_sum.z;
            float3 adj_d;
            adj_d.z = s * adj_sum.z;

            // 14:  f->y += s * d.y
            adj_s += d_y * adj_sum.y;
            adj_d.y = s * adj_sum.y;

            // 13:  f->x += s * d.x
            adj_s += d_x * adj_sum.x;
            adj_d.x = s * adj_sum.x;

            // 12:  float s = b->w * q * q * q
            block_add(&adj_tile[k].w, q * q * q * adj_s);

            // 11:  float q = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 0.05f)
            float g = -0.5f * q * q * q * 3.0f * tile[k].w * q * q * adj_s;
            adj_d.x += 2.0f * d_x * g;
            adj_d.y += 2.0f * d_y * g;
            adj_d.z += 2.0f * d_z * g;

            // 10:  float3 d = make_float3(b->x - a->pos.x, b->y - a->pos.y, b->z - a->pos.z)
            block_add(&adj_tile[k].z, adj_d.z);
            adj_bodies_pos_z_sum -= adj_d.z;
            block_add(&adj_tile[k].y, adj_d.y);
            adj_bodies_pos_y_sum -= adj_d.y;
            block_add(&adj_tile[k].x, adj_d.x);
            adj_bodies_pos_x_sum -= adj_d.x;
        }
        __syncthreads();
        for (int k = 1; k >= 0; --k) {
            const long slot_at = (long)(32 * k) + threadIdx.x;
            int j = first + 32 * k + threadIdx.x;
            const int b_at = min(j, n - 1);

            // 32:  slot->w = j < n ? b->mass : 0.0f
            if (j < n)
                atomicAdd(&adj_bodies[b_at].mass, adj_tile[slot_at].w);
            adj_tile[slot_at].w = 0.0f;

            // 31:  slot->z = b->pos.z
            atomicAdd(&adj_bodies[b_at].pos.z, adj_tile[slot_at].z);
            adj_tile[slot_at].z = 0.0f;

            // 30:  slot->y = b->pos.y
            atomicAdd(&adj_bodies[b_at].pos.y, adj_tile[slot_at].y);
            adj_tile[slot_at].y = 0.0f;

            // 29:  slot->x = b->pos.x
            atomicAdd(&adj_bodies[b_at].pos.x, adj_tile[slot_at].x);
            adj_tile[slot_at].x = 0.0f;
        }
    }
    // what the iterations owe, added once
    if (adj_bodies_pos_z_sum != 0.0f)
        atomicAdd(&adj_bodies[me_at].pos.z, adj_bodies_pos_z_sum);
    if (adj_bodies_pos_y_sum != 0.0f)
        atomicAdd(&adj_bodies[me_at].pos.y, adj_bodies_pos_y_sum);
    if (adj_bodies_pos_x_sum != 0.0f)
        atomicAdd(&adj_bodies[me_at].pos.x, adj_bodies_pos_x_sum);
}
