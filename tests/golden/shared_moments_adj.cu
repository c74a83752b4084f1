// shared_moments_adj: adjoint of shared_moments (shared_moments.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shared_moments.cu --of y --wrt x
//
// Call with x as it was before shared_moments. Seed adj_y with dJ/dy: it is left alone,
// because shared_moments stores each element of y at most once. dJ/dx is added to
// adj_x. y and count are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, mean, square, r   reloaded   still in its variable
//   inside[..], m[..]    reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element, the one that stores y[i]
//   adj_m[..]   reduced per block   every thread reads m[0]
//   adj_m[..]   reduced per block   every thread reads m[1]
//
// Assumed: no two threads store the same y[i], arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
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

extern "C" __global__ void shared_moments_adj(const float *x, float *adj_x,
                                              float *y, const float *adj_y, int *count, int n)
{
    __shared__ float m[2];
    __shared__ float adj_m[2];
    __shared__ int inside;
    for (int q = threadIdx.x; q < 2; q += blockDim.x)
        adj_m[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float v = i < n ? x[i] : 0.0f;
    if (t < 2)
        m[t] = 0.0f;
    if (t == 0)
        inside = 0;
    __syncthreads();
    atomicAdd(&m[0], v);
    atomicAdd(&m[1], v * v);
    if (i < n && v > -1.0f && v < 1.0f)
        atomicAdd(&inside, 1);
    __syncthreads();
    float mean = m[0] / blockDim.x;
    float square = m[1] / blockDim.x;
    float r = rsqrtf(square - mean * mean + 1e-3f) * inside;
    __syncthreads();
    atomicAdd_block(&m[t % 2], r * v);
    __syncthreads();
    float adj_r = 0.0f;
    float adj_mean = 0.0f;
    float adj_v = 0.0f;
    float adj_m_0 = 0.0f;
    float adj_m_1 = 0.0f;
    if (i < n) {
        // 25:  y[i] = (v - mean) * r + m[0] * m[1]
        float g = adj_y[i];
        float g_2 = r * g;
        adj_v = g_2;
        adj_mean = -g_2;
        adj_r = (v - mean) * g;
        adj_m_0 = m[1] * g;
        adj_m_1 = m[0] * g;
    }
    block_add(&adj_m[0], adj_m_0);
    block_add(&adj_m[1], adj_m_1);
    __syncthreads();

    // 22:  atomicAdd_block(&m[t % 2], r * v)
    float g = adj_m[t % 2];
    adj_r += v * g;
    adj_v += r * g;

    // 20:  float r = rsqrtf(square - mean * mean + 1e-3f) * inside
    float r_2 = rsqrtf(square - mean * mean + 1e-3f);
    float g_2 = -0.5f * inside * r_2 * r_2 * r_2 * adj_r;
    adj_mean -= 2.0f * mean * g_2;

    // 19:  square = m[1] / blockDim.x
    block_add(&adj_m[1], g_2 / blockDim.x);

    // 19:  float mean = m[0] / blockDim.x
    block_add(&adj_m[0], adj_mean / blockDim.x);
    __syncthreads();

    // 15:  atomicAdd(&m[1], v * v)
    adj_v += 2.0f * v * adj_m[1];
    // 14:  atomicAdd(&m[0], v)
    adj_v += adj_m[0];
    // 8:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
