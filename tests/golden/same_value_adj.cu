// same_value_adj: adjoint of same_value (same_value.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform same_value.cu --of y,mean --wrt x,scales
//
// Call with x and scales as they were before same_value. Seed adj_y with dJ/dy: it is
// left alone, because same_value stores each element of y at most once. adj_mean comes
// in as dJ/dmean after same_value and goes out as dJ/dmean before it, element by
// element. dJ/dx is added to adj_x; dJ/dscales is added to adj_scales. y and mean are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s[..], scale[..], m[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner       each thread has elements of its own
//   adj_scales[..]   reduced per block   all threads of a block read the same
//                                        scales[row]
//   adj_s[..]        +=, gathered        a thread collects what all threads of its row
//                                        owe to its element of s
//   adj_s[..]        +=, by phase        between two barriers one thread per element
//   adj_scale[..]    reduced per block   all threads of a block read the same scale[0]
//   adj_m[..]        reduced per block   all threads of a block read the same m[0]
//   adj_scale[..]    exchanged           no proof that only one thread stores an
//                                        element; one takes its adjoint
//   adj_m[..]        exchanged           no proof that only one thread stores an
//                                        element; one takes its adjoint
//   adj_mean[..]     exchanged           no proof that only one thread stores an
//                                        element; one takes its adjoint
//
// Assumed: the launch is 1-D, no two threads store different values in one scale, no
// two threads store different values in one m, no two threads store different values in
// one mean[row], arrays don't overlap, no index wraps.

#define BLOCK 32

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
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
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void same_value_adj(const float *x, float *adj_x,
                                          const float *scales, float *adj_scales,
                                          float *y, const float *adj_y,
                                          float *mean, float *adj_mean, int rows)
{
    __shared__ float s[BLOCK];
    __shared__ float adj_s[BLOCK];
    __shared__ float scale;
    __shared__ float adj_scale;
    __shared__ float m;
    __shared__ float adj_m;
    __shared__ float adj_sum_tile[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_s[q] = 0.0f;
    if (threadIdx.x == 0) {
        adj_scale = 0.0f;
        adj_m = 0.0f;
    }
    int t = threadIdx.x;
    for (int row = (int)blockIdx.x
         + (rows - (int)blockIdx.x + (int)gridDim.x - 1) / (int)gridDim.x * (int)gridDim.x
         - (int)gridDim.x; row >= (int)blockIdx.x; row -= gridDim.x) {
        s[t] = x[row * BLOCK + t];
        scale = scales[row];
        __syncthreads();
        float sum = 0.0f;
        for (int k = 0; k < BLOCK; ++k)
            sum += s[k] * s[k];
        m = sum / BLOCK;
        __syncthreads();

        // 19:  y[row * BLOCK + t] = s[t] * s[t] * m * scale
        float g = adj_y[row * BLOCK + t];
        adj_s[t] += 2.0f * s[t] * m * scale * g;
        float adj_m_0 = 0.0f;
        adj_m_0 += s[t] * s[t] * scale * g;
        float adj_scale_0 = 0.0f;
        adj_scale_0 += s[t] * s[t] * m * g;

        // 18:  mean[row] = m * scale
        float g_2 = atomicExch(&adj_mean[row], 0.0f);
        adj_m_0 += scale * g_2;
        block_add(&adj_m, adj_m_0);
        adj_scale_0 += m * g_2;
        block_add(&adj_scale, adj_scale_0);

        // 16:  m = sum / BLOCK
        float g_3 = atomicExch(&adj_m, 0.0f);
        adj_sum_tile[t] = g_3 / BLOCK;
        __syncthreads();
        float adj_s_sum = 0.0f;
        // what the threads along x owe to this thread's elements
        for (int k = 0; k < BLOCK; ++k) {
            // 15:  sum += s[k] * s[k]
            adj_s_sum += 2.0f * s[t] * adj_sum_tile[k];
        }
        adj_s[t] += adj_s_sum;

        // 11:  scale = scales[row]
        float g_4 = atomicExch(&adj_scale, 0.0f);
        block_add(&adj_scales[row], g_4);

        // 10:  s[t] = x[row * BLOCK + t]
        adj_x[row * BLOCK + t] += adj_s[t];
        adj_s[t] = 0.0f;
    }
}
