// bounded_pairs_adj: adjoint of bounded_pairs (bounded_pairs.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bounded_pairs.cu --of force --wrt p,q
//
// Call with p and q as they were before bounded_pairs. Seed adj_force with dJ/dforce:
// it is left alone, because bounded_pairs stores each element of force at most once.
// dJ/dp is added to adj_p; dJ/dq is added to adj_q. force is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   mine, reach, far   reloaded     still in its variable
//   j                  recomputed   from values at hand, in the reversed iteration
//   tile[..]           reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_p[..]      atomicAdd       not proved that two threads never meet in p[i] and
//                                  p[j]
//   adj_q[..]      +=, one owner   one thread per element
//   adj_tile[..]   +=, gathered    a thread collects what all threads of its row owe to
//                                  its element of tile
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define WIDTH 8

__global__ void bounded_pairs_adj(int n,
                                  const float *p, float *adj_p,
                                  const float *q, float *adj_q,
                                  float *force, const float *adj_force)
{
    __shared__ float tile[WIDTH];
    __shared__ float reach_tile[WIDTH];
    __shared__ float adj_sum_tile[WIDTH];
    __shared__ float mine_tile[WIDTH];

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = i < n ? p[i] : 0.0f;
    float reach = i < n ? q[i] : 0.0f;
    float far = 1.0f;
    for (int t = 0; t < gridDim.x; ++t)
        for (int k = 0; k < WIDTH; ++k)
            far *= 0.9f;

    // ---- reverse sweep ------------------------------------------------------

    float adj_reach = 0.0f;
    float adj_sum = 0.0f;
    if (i < n) {
        // 23:  force[i] = sum + far * reach
        float g = adj_force[i];
        adj_sum = g;
        adj_reach = far * g;
    }
    float adj_mine = 0.0f;
    reach_tile[threadIdx.x] = reach;
    adj_sum_tile[threadIdx.x] = adj_sum;
    mine_tile[threadIdx.x] = mine;
    for (int t = gridDim.x - 1; t >= 0; --t) {
        int j = t * WIDTH + threadIdx.x;
        tile[threadIdx.x] = j < n ? p[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < WIDTH; ++k) {
            // 17:  sum += tile[k] * fmaxf(mine, 0.1f) * sqrtf(reach + 2.0f)
            if (mine >= 0.1f)
                adj_mine += tile[k] * sqrtf(reach + 2.0f) * adj_sum;
            float g = tile[k] * fmaxf(mine, 0.1f) * adj_sum;
            if (g != 0.0f)
                adj_reach += 0.5f * g * rsqrtf(reach + 2.0f);
        }
        float adj_tile_sum = 0.0f;
        // what the threads along x owe to this thread's elements
        for (int k = 0; k < WIDTH; ++k) {
            // 17:  sum += tile[k] * fmaxf(mine, 0.1f) * sqrtf(reach + 2.0f)
            adj_tile_sum += fmaxf(mine_tile[k], 0.1f) * sqrtf(reach_tile[k] + 2.0f)
                            * adj_sum_tile[k];
        }
        __syncthreads();

        // 14:  tile[threadIdx.x] = j < n ? p[j] : 0.0f
        if (j < n)
            atomicAdd(&adj_p[j], adj_tile_sum);
    }

    // 10:  float reach = i < n ? q[i] : 0.0f
    if (i < n)
        adj_q[i] += adj_reach;
    // 9:  float mine = i < n ? p[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_p[i], adj_mine);
}
