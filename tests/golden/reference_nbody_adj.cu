// reference_nbody_adj: adjoint of reference_nbody (reference_nbody.cu:17).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform reference_nbody.cu --of force --wrt pos
//
// Call with pos as it was before reference_nbody. Seed adj_force with dJ/dforce: it is
// left alone, because reference_nbody stores each element of force at most once.
// dJ/dpos is added to adj_pos. force and near are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   fx, fy               reloaded     still in its variable
//   dx, dy, d2, inv, w   recomputed   from values at hand, in the reversed iteration
//   pos[..]              reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_pos[..]   reduced per block   every thread reads other[0], other[1] and
//                                     other[2]
//   adj_pos[..]   atomicAdd           other threads add to pos[3 * i + 2], pos[3 * i +
//                                     1] and pos[3 * i] too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

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

extern "C" __global__ void reference_nbody_adj(const float *pos, float *adj_pos,
                                               float *force, const float *adj_force, int *near,
                                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_fy;
    float adj_fx;
    float adj_pos_sum_4;
    float adj_pos_sum_5;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float fx = 0.0f;
        float fy = 0.0f;
        for (int j = 0; j < n; ++j) {
            float x = pos[3 * i];
            float y = pos[3 * i + 1];
            float dx = pos[3 * j] - x;
            float dy = pos[3 * j + 1] - y;
            float d2 = dx * dx + dy * dy;
            if (!(d2 > 9.0f)) {
                float inv = rsqrtf(d2 + 0.01f);
                float w = pos[3 * j + 2] * inv * inv * inv;
                fx += w * dx;
                fy += w * dy;
            }
        }

        // ---- reverse sweep ------------------------------------------------------

        // 30:  f[1] = me[2] * fy
        float g = adj_force[2 * i + 1];
        float adj_pos_sum = fy * g;
        adj_fy = pos[3 * i + 2] * g;

        // 29:  f[0] = me[2] * fx
        float g_2 = adj_force[2 * i];
        atomicAdd(&adj_pos[3 * i + 2], adj_pos_sum + fx * g_2);
        adj_fx = pos[3 * i + 2] * g_2;
        adj_pos_sum_4 = 0.0f;
        adj_pos_sum_5 = 0.0f;
    }
    for (int j = 0; j < n; ++j) {
        float adj_pos_sum = 0.0f;
        float adj_pos_sum_2 = 0.0f;
        float adj_pos_sum_3 = 0.0f;
        if (i < n) {
            float x = pos[3 * i];
            float y = pos[3 * i + 1];
            float dx = pos[3 * j] - x;
            float dy = pos[3 * j + 1] - y;
            float d2 = dx * dx + dy * dy;
            float adj_d2 = 0.0f;
            float adj_dx = 0.0f;
            float adj_dy = 0.0f;
            if (!(d2 > 9.0f)) {
                float inv = rsqrtf(d2 + 0.01f);
                float w = pos[3 * j + 2] * inv * inv * inv;

                // 13:  fy += w * dy
                float adj_w = dy * adj_fy;
                adj_dy = w * adj_fy;

                // 12:  fx += w * dx
                adj_w += dx * adj_fx;
                adj_dx = w * adj_fx;

                // 11:  float w = other[2] * inv * inv * inv
                adj_pos_sum = inv * inv * inv * adj_w;
                // 10:  float inv = rsqrtf(d2 + 0.01f)
                adj_d2 = -(0.5f * inv * inv * inv * 3.0f * pos[3 * j + 2] * inv * inv * adj_w);
            }

            // 7:  float d2 = dx * dx + dy * dy
            adj_dx += 2.0f * dx * adj_d2;
            adj_dy += 2.0f * dy * adj_d2;

            // 6:  float dy = other[1] - y
            adj_pos_sum_2 = adj_dy;
            // 5:  float dx = other[0] - x
            adj_pos_sum_3 = adj_dx;

            // 27:  pull(pos + 3 * j, me[0], me[1], fx, fy)
            adj_pos_sum_4 -= adj_dy;
            adj_pos_sum_5 -= adj_dx;
        }
        block_add(&adj_pos[3 * j + 2], adj_pos_sum);
        block_add(&adj_pos[3 * j + 1], adj_pos_sum_2);
        block_add(&adj_pos[3 * j], adj_pos_sum_3);
    }
    if (i < n) {
        // what the iterations owe, added once
        if (adj_pos_sum_4 != 0.0f)
            atomicAdd(&adj_pos[3 * i + 1], adj_pos_sum_4);
        if (adj_pos_sum_5 != 0.0f)
            atomicAdd(&adj_pos[3 * i], adj_pos_sum_5);
    }
}
