// last_one_wins_adj: adjoint of last_one_wins (last_one_wins.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform last_one_wins.cu --of y --wrt x,z
//
// Call with x and z as they were before last_one_wins. Seed adj_y with dJ/dy: it is
// left alone, because last_one_wins stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dz is added to adj_z. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   z[..], x[..]   reloaded   nothing stores to it
//   w[..]          reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_z[..]   reduced per block   every thread reads the same z[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
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
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void last_one_wins_adj(const double *x, double *adj_x,
                                             const double *z, double *adj_z,
                                             double *y, const double *adj_y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_w[2] = {};
    double adj_chosen;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double w[2] = {1.0, 1.0};
        for (int k = 0; k < m; ++k)
            w[k % 2] = x[i * m + k] * z[k];

        // ---- reverse sweep ------------------------------------------------------

        // 15:  y[i] = w[0] * w[1] + chosen
        double g = adj_y[i];
        adj_w[0] += w[1] * g;
        adj_w[1] += w[0] * g;
        adj_chosen = g;
    }
    for (int k = m - 1; k >= 0; --k) {
        double adj_z_sum = 0.0;
        if (i < n)
            if (x[i * m + k] > 0.0) {
                // 14:  chosen = sin(z[k])
                adj_z_sum = cos(z[k]) * adj_chosen;
                adj_chosen = 0.0;
            }
        block_add(&adj_z[k], adj_z_sum);
    }
    for (int k = m - 1; k >= 0; --k) {
        double adj_z_sum = 0.0;
        if (i < n) {
            // 10:  w[k % 2] = x[i * m + k] * z[k]
            double g = adj_w[k % 2];
            adj_x[i * m + k] += z[k] * g;
            adj_z_sum = x[i * m + k] * g;
            adj_w[k % 2] = 0.0;
        }
        block_add(&adj_z[k], adj_z_sum);
    }
}
