// whole_blocks_adj: adjoint of whole_blocks (whole_blocks.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform whole_blocks.cu --of y --wrt x
//
// Call with x as it was before whole_blocks. Seed adj_y with dJ/dy: it is left alone,
// because whole_blocks stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]      reloaded   nothing stores to it
//   tile[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_tile[..]   +=, by phase    between two barriers one thread per element
//
// Assumed: n >= 0, the launch is 2-D, n is a multiple of blockDim.x or no less than
// gridDim.x * blockDim.x, arrays don't overlap, no index wraps.

__global__ void whole_blocks_adj(const float *x, float *adj_x,
                                 float *y, const float *adj_y, int n, int rows)
{
    // For n a multiple of blockDim.x or no less than gridDim.x * blockDim.x, as threads that part
    // don't meet; any other gets NaN.
    if (n % blockDim.x != 0 && n < gridDim.x * blockDim.x) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float tile[64];
    __shared__ float adj_tile[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_tile[q] = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = blockIdx.y * n + i;
    if (i < n && blockIdx.y < rows) {
        tile[threadIdx.x] = x[at] * x[at];
        __syncthreads();

        // 11:  y[at] = tile[blockDim.x - 1 - threadIdx.x] * x[at]
        float g = adj_y[at];
        adj_tile[blockDim.x - 1 - threadIdx.x] += x[at] * g;
        adj_x[at] += tile[blockDim.x - 1 - threadIdx.x] * g;
        __syncthreads();

        // 9:  tile[threadIdx.x] = x[at] * x[at]
        adj_x[at] += 2.0f * x[at] * adj_tile[threadIdx.x];
    }
}
