// group_grid_adj: adjoint of group_grid (group_grid.cu:12).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform group_grid.cu --of y --wrt x --assume launch:1d
//
// Call with x as it was before group_grid. Seed adj_y with dJ/dy: it is left alone,
// because group_grid stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   halved_value   recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, launch:1d.

__global__ void group_grid_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = nanf("");
        return;
    }
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        // 16:  y[i] = sinf(halved(grid, x, i))
        float adj_halved_value = cosf(blockIdx.x % 2 == 0 ? 0.5f * x[i] : x[i]) * adj_y[i];

        // 16:  halved(grid, x, i)
        if (blockIdx.x % 2 == 0)
            adj_x[i] += 0.5f * adj_halved_value;
        else
            adj_x[i] += adj_halved_value;
    }
}
