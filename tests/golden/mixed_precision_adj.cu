// mixed_precision_adj: adjoint of mixed_precision (mixed_precision.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform mixed_precision.cu --of y,total --wrt x,w
//
// Call with x and w as they were before mixed_precision. Seed adj_y with dJ/dy: it is
// left alone, because mixed_precision stores each element of y at most once. Seed
// adj_total with dJ/dtotal: it is left alone, because mixed_precision stores each
// element of total at most once. dJ/dx is added to adj_x; dJ/dw is added to adj_w. y
// and total are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum, low       reloaded   still in its variable
//   w[..], x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_w[..]   reduced per block   every thread reads w[k] and w[0]
//
// At kinks and singular points:
//   sqrt: where its partial is infinite a zero adjoint contributes zero
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

extern "C" __global__ void mixed_precision_adj(const float *x, float *adj_x,
                                               const double *w, double *adj_w,
                                               float *y, const float *adj_y,
                                               double *total, const double *adj_total, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_w_0 = 0.0;
    double adj_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double sum = 0;
        for (int k = 0; k < m; ++k)
            sum += x[i * m + k] * w[k];
        float low = sum;

        // ---- reverse sweep ------------------------------------------------------

        // 13:  total[i] = sum * (double)low + sqrt(1.5 + (double)sinf(low))
        double g = adj_total[i];
        adj_sum = (double)low * g;
        float adj_low = sum * g;
        if (g != 0.0)
            adj_low += 0.5 * cosf(low) * g * rsqrt(1.5 + (double)sinf(low));

        // 12:  y[i] = low * low + (float)w[0]
        float g_2 = adj_y[i];
        adj_low += 2.0f * low * g_2;
        adj_w_0 = g_2;

        // 11:  float low = sum
        adj_sum += adj_low;
    }
    for (int k = 0; k < m; ++k) {
        double adj_w_sum = 0.0;
        if (i < n) {
            // 10:  sum += x[i * m + k] * w[k]
            adj_x[i * m + k] += w[k] * adj_sum;
            adj_w_sum = x[i * m + k] * adj_sum;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    block_add(&adj_w[0], adj_w_0);
}
