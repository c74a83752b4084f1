// hash_grid_adj: adjoint of hash_grid (hash_grid.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform hash_grid.cu --of feature --wrt table
//
// Call with px and py as they were before hash_grid. Seed adj_feature with dJ/dfeature:
// it is left alone, because hash_grid stores each element of feature at most once.
// dJ/dtable is added to adj_table. table and feature are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   scale                     tape_scale[LEVELS], registers   line 24 changes it in
//                                                             each iteration
//   cx, cy, fx, fy, hash, w   recomputed                      from values at hand, in
//                                                             the reversed iteration
//
// How adjoints are added up:
//   adj_table[..]   atomicAdd   not proved that two threads never meet in table[level *
//                               size + hash]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define LEVELS 3

extern "C" __global__ void hash_grid_adj(const float *px, const float *py,
                                         const float *table, float *adj_table,
                                         float *feature, const float *adj_feature,
                                         unsigned int size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float scale = 2.0f;
    float tape_scale[LEVELS];
    for (int level = 0; level < LEVELS; ++level) {
        tape_scale[level] = scale;
        scale *= 1.5f;
    }

    // ---- reverse sweep ------------------------------------------------------

    for (int level = 0; level < LEVELS; ++level) {
        float scale = tape_scale[level];
        float x = px[i] * scale;
        float y = py[i] * scale;
        unsigned int cx = (unsigned int)x;
        unsigned int cy = (unsigned int)y;
        float fx = x - cx;
        float fy = y - cy;

        // 23:  feature[level * n + i] = sum
        float adj_sum = adj_feature[level * n + i];
        for (int corner = 0; corner < 4; ++corner) {
            unsigned int dx = corner & 1;
            unsigned int dy = corner >> 1;
            unsigned int hash = ((cx + dx) ^ ((cy + dy) * 2654435761u)) % size;
            float w = (dx ? fx : 1.0f - fx) * (dy ? fy : 1.0f - fy);

            // 21:  sum += w * table[level * size + hash]
            atomicAdd(&adj_table[level * size + hash], w * adj_sum);
        }
    }
}
