// pairs_adj: adjoint of pairs (shared_structs.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shared_structs.cu --of energy --wrt sites
//
// Call with sites as it was before pairs. Seed adj_energy with dJ/denergy: it is left
// alone, because pairs stores each element of energy at most once. dJ/dsites is added
// to adj_sites. energy is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   e            reloaded     still in its variable
//   dx, dy       recomputed   from values at hand, in the reversed iteration
//   tile[..].q   reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_sites[..].x   +=, one owner   one thread per element
//   adj_sites[..].y   +=, one owner   one thread per element
//   adj_sites[..].q   +=, one owner   one thread per element
//   adj_tile[..].x    +=, gathered    a thread collects what all threads of its row owe
//                                     to its element of tile.x
//   adj_tile[..].y    +=, gathered    a thread collects what all threads of its row owe
//                                     to its element of tile.y
//   adj_tile[..].q    +=, gathered    a thread collects what all threads of its row owe
//                                     to its element of tile.q
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

struct Site {
    float x, y;
    float q;
};

__global__ void pairs_adj(const Site *sites, Site *adj_sites,
                          float *energy, const float *adj_energy, int n)
{
    __shared__ Site tile[BLOCK];
    __shared__ Site adj_tile[BLOCK];
    __shared__ float adj_e_tile[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x) {
        adj_tile[q].x = 0.0f;
        adj_tile[q].y = 0.0f;
        adj_tile[q].q = 0.0f;
    }

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    Site nobody = {0.0f, 0.0f, 0.0f};
    tile[t].x = i < n ? sites[i].x : nobody.x;
    tile[t].y = i < n ? sites[i].y : nobody.y;
    tile[t].q = i < n ? sites[i].q : nobody.q;
    __syncthreads();

    float e = 0.0f;
    for (int k = 0; k < BLOCK; ++k) {
        float dx = tile[k].x - tile[t].x;
        float dy = tile[k].y - tile[t].y;
        e += tile[k].q * expf(-(dx * dx + dy * dy));
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_e = 0.0f;
    if (i < n) {
        // 25:  energy[i] = tile[t].q * e
        float g = adj_energy[i];
        adj_tile[t].q += e * g;
        adj_e = tile[t].q * g;
    }
    adj_e_tile[t] = adj_e;
    float adj_tile_y_sum_2 = 0.0f;
    float adj_tile_x_sum_2 = 0.0f;
    for (int k = 0; k < BLOCK; ++k) {
        float dx = tile[k].x - tile[t].x;
        float dy = tile[k].y - tile[t].y;

        // 22:  e += tile[k].q * expf(-(dx * dx + dy * dy))
        float g = -(tile[k].q * expf(-(dx * dx + dy * dy)) * adj_e);
        // 21:  float dy = tile[k].y - tile[t].y
        adj_tile_y_sum_2 -= 2.0f * dy * g;
        // 20:  float dx = tile[k].x - tile[t].x
        adj_tile_x_sum_2 -= 2.0f * dx * g;
    }
    // what the iterations owe, added once
    if (adj_tile_y_sum_2 != 0.0f)
        adj_tile[t].y += adj_tile_y_sum_2;
    if (adj_tile_x_sum_2 != 0.0f)
        adj_tile[t].x += adj_tile_x_sum_2;
    __syncthreads();
    float adj_tile_q_sum = 0.0f;
    float adj_tile_y_sum = 0.0f;
    float adj_tile_x_sum = 0.0f;
    // what the threads along x owe to this thread's elements
    for (int k = 0; k < BLOCK; ++k) {
        float dx = tile[t].x - tile[k].x;
        float dy = tile[t].y - tile[k].y;

        // 22:  e += tile[k].q * expf(-(dx * dx + dy * dy))
        adj_tile_q_sum += expf(-(dx * dx + dy * dy)) * adj_e_tile[k];
        float g = -(tile[t].q * expf(-(dx * dx + dy * dy)) * adj_e_tile[k]);

        // 21:  float dy = tile[k].y - tile[t].y
        adj_tile_y_sum += 2.0f * dy * g;
        // 20:  float dx = tile[k].x - tile[t].x
        adj_tile_x_sum += 2.0f * dx * g;
    }
    adj_tile[t].x += adj_tile_x_sum;
    adj_tile[t].y += adj_tile_y_sum;
    adj_tile[t].q += adj_tile_q_sum;

    // 15:  tile[t] = i < n ? sites[i] : nobody
    if (i < n) {
        adj_sites[i].x += adj_tile[t].x;
        adj_sites[i].y += adj_tile[t].y;
        adj_sites[i].q += adj_tile[t].q;
    }
}
