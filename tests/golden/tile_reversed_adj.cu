// tile_reversed_adj: adjoint of tile_reversed (tile_reversed.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform tile_reversed.cu --of y --wrt x
//
// Call with x as it was before tile_reversed. Seed adj_y with dJ/dy: it is left alone,
// because tile_reversed stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]      reloaded   nothing stores to it
//   tile[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_tile[..]   +=, by phase    each place hits an element once per block, with
//                                  barriers between them
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

__global__ void tile_reversed_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                  float *__restrict__ y, const float *__restrict__ adj_y, int n)
{
    __shared__ float tile[BLOCK];
    __shared__ float adj_tile[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tile[t] = i < n ? x[i] * x[i] : 1.0f;
    __syncthreads();
    float g;
    if (i < n) {
        // 12:  y[i] = tile[BLOCK - 1 - t] * tile[t]
        g = adj_y[i];
        adj_tile[BLOCK - 1 - t] += tile[t] * g;
    }
    __syncthreads();
    if (i < n)
        adj_tile[t] += tile[BLOCK - 1 - t] * g;

    // 9:  tile[t] = i < n ? x[i] * x[i] : 1.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_tile[t];
}
