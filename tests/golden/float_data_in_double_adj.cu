// float_data_in_double_adj: adjoint of float_data_in_double (float_data_in_double.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform float_data_in_double.cu --of total --wrt w,scale
//
// Call with x and w as they were before float_data_in_double. Seed adj_total with
// dJ/dtotal: it is left alone, because float_data_in_double stores each element of
// total at most once. dJ/dw is added to adj_w; dJ/dscale is added to adj_scale. total
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum     reloaded   still in its variable
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]   reduced per block   every thread reads the same w[k]
//   adj_scale   reduced per block   every thread has its share in it
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

extern "C" __global__ void float_data_in_double_adj(const float *x,
                                                    const double *w, double *adj_w,
                                                    double *total, const double *adj_total,
                                                    double scale, double *adj_scale, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_scale_sum = 0.0;
    double adj_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double sum = 0;
        for (int k = 0; k < m; ++k)
            sum += x[i * m + k] * w[k];

        // ---- reverse sweep ------------------------------------------------------

        // 11:  total[i] = scale * sum * (double)x[i * m] + sum * sum
        double g = adj_total[i];
        double g_2 = (double)x[i * m] * g;
        adj_scale_sum = sum * g_2;
        adj_sum = scale * g_2 + 2.0 * sum * g;
    }
    for (int k = 0; k < m; ++k) {
        double adj_w_sum = 0.0;
        if (i < n) {
            // 10:  sum += x[i * m + k] * w[k]
            adj_w_sum = x[i * m + k] * adj_sum;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    block_add(adj_scale, adj_scale_sum);
}
