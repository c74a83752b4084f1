// pairs_tile_covered_adj: adjoint of pairs_tile_covered (pairs_tile_covered.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform pairs_tile_covered.cu --of force --wrt place,charge --assume covers:n
//
// Call with place and charge as they were before pairs_tile_covered. Seed adj_force
// with dJ/dforce: it is left alone, because pairs_tile_covered stores each element of
// force at most once. dJ/dplace is added to adj_place; dJ/dcharge is added to
// adj_charge. force is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   here          reloaded     still in its variable
//   j, d          recomputed   from values at hand, in the reversed iteration
//   charges[..]   reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_place[..]     +=, gathered   the blocks along x share out its tiles, and each
//                                    goes through all blocks
//   adj_charge[..]    +=, gathered   the blocks along x share out its tiles, and each
//                                    goes through all blocks
//   adj_places[..]    +=, gathered   a thread collects what all threads of its row owe
//                                    to its element of places
//   adj_charges[..]   +=, gathered   a thread collects what all threads of its row owe
//                                    to its element of charges
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, covers:n.

#define TILE 16

extern "C" __global__ void pairs_tile_covered_adj(const float *__restrict__ place,
                                                  float *__restrict__ adj_place,
                                                  const float *__restrict__ charge,
                                                  float *__restrict__ adj_charge,
                                                  float *__restrict__ force,
                                                  const float *__restrict__ adj_force, int n)
{
    // For a launch that covers n, as it was declared; any other gets NaN.
    if (gridDim.x * blockDim.x < n) {
        adj_place[0] = nanf("");
        adj_charge[0] = nanf("");
        return;
    }
    __shared__ float places[TILE];
    __shared__ float charges[TILE];
    __shared__ float here_tile[TILE];
    __shared__ float adj_sum_tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float here = i < n ? place[i] : 0.0f;
    float adj_sum = 0.0f;
    if (i < n) {
        // 24:  force[i] = sum
        adj_sum = adj_force[i];
    }
    float adj_here = 0.0f;
    for (int first = (n + 15) / TILE * TILE - 16; first >= 0; first -= TILE) {
        int j = first + threadIdx.x;
        places[threadIdx.x] = j < n ? place[j] : 0.0f;
        charges[threadIdx.x] = j < n ? charge[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float d = places[k] - here;
            // 18:  float d = places[k] - here
            adj_here -= (expf(-d * d) * adj_sum - 2.0f * d * d * expf(-d * d) * adj_sum)
                        * charges[k];
        }
        __syncthreads();
    }

    // 10:  float here = i < n ? place[i] : 0.0f
    if (i < n)
        adj_place[i] += adj_here;
    // the blocks along x share out the tiles of place and charge, and each goes through all blocks
    for (int first = blockIdx.x * TILE; first < n; first += gridDim.x * TILE) {
        int j = first + threadIdx.x;
        places[threadIdx.x] = j < n ? place[j] : 0.0f;
        charges[threadIdx.x] = j < n ? charge[j] : 0.0f;
        float adj_charges_sum = 0.0f;
        float adj_places_sum = 0.0f;
        for (unsigned int block = 0; block < gridDim.x; ++block) {
            int i_there = block * TILE + threadIdx.x;
            float adj_sum_there = 0.0f;
            if (i_there < n) {
                // 24:  force[i] = sum
                adj_sum_there = adj_force[i_there];
            }
            here_tile[threadIdx.x] = i_there < n ? place[i_there] : 0.0f;
            adj_sum_tile[threadIdx.x] = adj_sum_there;
            __syncthreads();
            for (int k = 0; k < TILE; ++k) {
                float d = places[threadIdx.x] - here_tile[k];
                float g = expf(-d * d) * adj_sum_tile[k];

                // 19:  sum += charges[k] * d * expf(-d * d)
                adj_charges_sum += d * g;
                // 18:  float d = places[k] - here
                adj_places_sum += (g - 2.0f * d * d * expf(-d * d) * adj_sum_tile[k])
                                  * charges[threadIdx.x];
            }
            __syncthreads();
        }

        // 15:  charges[threadIdx.x] = j < n ? charge[j] : 0.0f
        if (j < n)
            adj_charge[j] += adj_charges_sum;
        // 14:  places[threadIdx.x] = j < n ? place[j] : 0.0f
        if (j < n)
            adj_place[j] += adj_places_sum;
    }
}
