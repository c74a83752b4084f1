// product_tile_covered_adj: adjoint of product_tile_covered (product_tile_covered.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform product_tile_covered.cu --of c --wrt a,b --assume covers:cols:rows
//
// Call with a and b as they were before product_tile_covered. Seed adj_c with dJ/dc: it
// is left alone, because product_tile_covered stores each element of c at most once.
// dJ/da is added to adj_a; dJ/db is added to adj_b. c is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   right[..], left[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_a[..]       +=, gathered   the blocks along x share out its tiles, and each
//                                  goes through all blocks
//   adj_b[..]       +=, gathered   the blocks along y share out its tiles, and each
//                                  goes through all blocks
//   adj_left[..]    +=, gathered   a thread collects what all threads of its row owe to
//                                  its element of left
//   adj_right[..]   +=, gathered   a thread collects what all threads of its row owe to
//                                  its element of right
//
// Assumed: the launch is 2-D, no two threads store the same c[row * cols + col], arrays
// don't overlap, no index wraps, covers:cols:rows.

#define TILE 8

extern "C" __global__ void product_tile_covered_adj(const float *__restrict__ a,
                                                    float *__restrict__ adj_a,
                                                    const float *__restrict__ b,
                                                    float *__restrict__ adj_b,
                                                    float *__restrict__ c,
                                                    const float *__restrict__ adj_c, int rows,
                                                    int cols, int depth, float scale)
{
    // For a launch that covers cols by rows, as it was declared; any other gets NaN.
    if (gridDim.x * blockDim.x < cols || gridDim.y * blockDim.y < rows) {
        adj_a[0] = nanf("");
        adj_b[0] = nanf("");
        return;
    }
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE];
    __shared__ float adj_sum_tile[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;
    // the blocks along x share out the tiles of a, and each goes through all blocks
    for (int d0 = blockIdx.x * TILE; d0 < depth; d0 += gridDim.x * TILE) {
        float adj_left_sum = 0.0f;
        for (unsigned int block = 0; block < gridDim.x; ++block) {
            int col_there = block * TILE + tx;
            float adj_sum_there = 0.0f;
            if (row < rows && col_there < cols) {
                // 22:  c[row * cols + col] = scale * sum
                adj_sum_there = scale * adj_c[row * cols + col_there];
            }
            adj_sum_tile[ty][tx] = adj_sum_there;
            right[ty][tx] = d0 + ty < depth && col_there < cols ? b[(d0 + ty) * cols + col_there]
                            : 0.0f;
            __syncthreads();
            for (int d = 0; d < TILE; ++d) {
                // 18:  sum += left[ty][d] * right[d][tx]
                adj_left_sum += right[tx][d] * adj_sum_tile[ty][d];
            }
            __syncthreads();
        }

        // 14:  left[ty][tx] = row < rows && d0 + tx < depth ? a[row * depth + d0 + tx] : 0.0f
        if (row < rows && d0 + tx < depth)
            adj_a[row * depth + d0 + tx] += adj_left_sum;
    }
    // the blocks along y share out the tiles of b, and each goes through all blocks
    for (int d0 = blockIdx.y * TILE; d0 < depth; d0 += gridDim.y * TILE) {
        float adj_right_sum = 0.0f;
        for (unsigned int block = 0; block < gridDim.y; ++block) {
            int row_there = block * TILE + ty;
            float adj_sum_there = 0.0f;
            if (row_there < rows && col < cols) {
                // 22:  c[row * cols + col] = scale * sum
                adj_sum_there = scale * adj_c[row_there * cols + col];
            }
            adj_sum_tile[ty][tx] = adj_sum_there;
            left[ty][tx] = row_there < rows && d0 + tx < depth ? a[row_there * depth + d0 + tx]
                           : 0.0f;
            __syncthreads();
            for (int d = 0; d < TILE; ++d) {
                // 18:  sum += left[ty][d] * right[d][tx]
                adj_right_sum += left[d][ty] * adj_sum_tile[d][tx];
            }
            __syncthreads();
        }

        // 15:  right[ty][tx] = d0 + ty < depth && col < cols ? b[(d0 + ty) * cols + col] : 0.0f
        if (d0 + ty < depth && col < cols)
            adj_b[(d0 + ty) * cols + col] += adj_right_sum;
    }
}
