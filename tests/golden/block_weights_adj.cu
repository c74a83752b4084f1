// block_weights_adj: adjoint of block_weights (block_weights.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_weights.cu --of y,e --wrt x,w,b,c,scale,gain
//
// Call with x, w, b and c as they were before block_weights. Seed adj_y with dJ/dy: it
// is left alone, because block_weights stores each element of y at most once. Seed
// adj_e with dJ/de: it is left alone, because block_weights stores each element of e at
// most once. dJ/dx is added to adj_x; dJ/dw is added to adj_w; dJ/db is added to adj_b;
// dJ/dc is added to adj_c; dJ/dscale is added to adj_scale; dJ/dgain is added to
// adj_gain. y and e are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, sum, d (line 22)   reloaded                       still in its variable
//   w[..], b[..], c[..]   reloaded                       nothing stores to it
//   d (line 22)           snapshot_d[16], local memory   line 23 changes it in each
//                                                        iteration, and nothing bounds
//                                                        their number
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_w[..]   reduced per block   every thread reads w[0], w[k * TAPS + j] and w[1]
//   adj_b[..]   reduced per block   all threads of a block read the same b[blockIdx.x]
//   adj_c[..]   reduced per block   every thread reads c[0] and c[r + 1]
//   adj_c[..]   atomicAdd           other threads add to c[r + 1] too
//   adj_scale   reduced per block   every thread has its share in it
//   adj_gain    reduced per block   every thread has its share in it
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

#define TAPS 3

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add_double(double *where, double value)
{
    __shared__ double sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void block_weights_adj(const float *x, float *adj_x,
                                             const float *w, float *adj_w,
                                             const float *b, float *adj_b,
                                             const double *c, double *adj_c,
                                             float scale, float *adj_scale,
                                             double gain, double *adj_gain,
                                             float *y, const float *adj_y,
                                             double *e, const double *adj_e, int rows, int cols,
                                             int smooth)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    double adj_gain_sum = 0.0;
    float adj_scale_sum = 0.0f;
    double adj_c_0 = 0.0;
    float adj_w_1 = 0.0f;
    float adj_w_0 = 0.0f;
    float adj_b_sum = 0.0f;
    float v;
    float adj_sum;
    float adj_v;
    if (row < rows && col < cols) {
        // ---- forward sweep ------------------------------------------------------

        v = x[row * cols + col];
        float sum = w[0] * v + b[blockIdx.x] * cosf(v);
        for (int k = 1; k < TAPS; ++k)
            for (int j = 0; j < TAPS; ++j)
                if (v > 0.2f * j)
                    sum += w[k * TAPS + j] * sinf(v * j + k);
        if (smooth)
            sum += w[1] * v * v;
        double d = sum;
        double snapshot_d[16];
        int stride = 1;
        for (int r = 0; r < col; ++r) {
            if (r % stride == 0) {
                if (r == 16 * stride) {
                    for (int j = 1; j < 8; ++j)
                        snapshot_d[j] = snapshot_d[2 * j];
                    stride *= 2;
                }
                snapshot_d[r / stride] = d;
            }
            d = d * c[0] + c[r + 1] * 0.5;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 25:  e[row * cols + col] = gain * d
        double g = adj_e[row * cols + col];
        adj_gain_sum = d * g;
        double adj_d = gain * g;

        // 24:  y[row * cols + col] = scale * sum
        float g_2 = adj_y[row * cols + col];
        adj_scale_sum = sum * g_2;
        adj_sum = scale * g_2;
        for (int r = col - 1; r >= 0; --r) {
            double d = snapshot_d[r / stride];
            for (int r_2 = r / stride * stride; r_2 < r; ++r_2)
                d = d * c[0] + c[r_2 + 1] * 0.5;

            // 23:  d = d * c[0] + c[r + 1] * 0.5
            adj_c_0 += d * adj_d;
            atomicAdd(&adj_c[r + 1], 0.5 * adj_d);
            adj_d *= c[0];
        }

        // 21:  double d = sum
        adj_sum += adj_d;
        adj_v = 0.0f;
        if (smooth) {
            // 20:  sum += w[1] * v * v
            adj_w_1 = v * v * adj_sum;
            adj_v += 2.0f * w[1] * v * adj_sum;
        }
    }
    for (int k = 1; k < TAPS; ++k)
        for (int j = 0; j < TAPS; ++j) {
            float adj_w_sum = 0.0f;
            if (row < rows && col < cols)
                if (v > 0.2f * j) {
                    // 18:  sum += w[k * TAPS + j] * sinf(v * j + k)
                    float sine;
                    float cosine;
                    sincosf(v * j + k, &sine, &cosine);
                    adj_w_sum = sine * adj_sum;
                    adj_v += w[k * TAPS + j] * cosine * j * adj_sum;
                }
            block_add(&adj_w[k * TAPS + j], adj_w_sum);
        }
    if (row < rows && col < cols) {
        // 14:  float sum = w[0] * v + b[blockIdx.x] * cosf(v)
        adj_w_0 = v * adj_sum;
        adj_v += (w[0] - b[blockIdx.x] * sinf(v)) * adj_sum;
        adj_b_sum = cosf(v) * adj_sum;

        // 13:  float v = x[row * cols + col]
        adj_x[row * cols + col] += adj_v;
    }
    block_add_double(adj_gain, adj_gain_sum);
    block_add(adj_scale, adj_scale_sum);
    block_add_double(&adj_c[0], adj_c_0);
    block_add(&adj_w[1], adj_w_1);
    block_add(&adj_w[0], adj_w_0);
    block_add(&adj_b[blockIdx.x], adj_b_sum);
}
