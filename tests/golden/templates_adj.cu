// blur_adj: adjoint of blur (templates.cu:30).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform templates.cu --of y --wrt x,w --template T=float
//
// Call with x and w as they were before blur. Seed adj_y with dJ/dy: it is left alone,
// because blur stores each element of y at most once. dJ/dx is added to adj_x; dJ/dw is
// added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum (line 39)   tape_sum, a register   line 42 overwrites it
//   tile[..]        reloaded               no later store goes to it
//   w[..]           reloaded               nothing stores to it
//   sum (line 42)   reloaded               still in its variable
//
// How adjoints are added up:
//   adj_x[..]      atomicAdd           not proved that two threads never meet in x[i]
//                                      and x[i + 64]
//   adj_w[..]      reduced per block   every thread reads the same w[k]
//   adj_tile[..]   +=, by phase        an iteration hits an element once per block,
//                                      with a barrier between any two
//
// At kinks and singular points:
//   max: at a tie the first argument takes the whole adjoint
//
// Of the template blur this is the instance with T = float, RADIUS = 2, SHARP = true.
//
// Assumed: the launch is 1-D, no two threads store the same y[i + RADIUS], arrays don't
// overlap, no index wraps.

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

static __device__ float power_2(float v)
{
    float r = v;
    #pragma unroll 2
    for (int k = 1; k < 2; ++k)
        r *= v;
    return r;
}

static __host__ __device__ inline float square(float v)
{
    return v * v;
}

static __device__ float power_3(float v)
{
    float r = v;
    #pragma unroll 3
    for (int k = 1; k < 3; ++k)
        r *= v;
    return r;
}

static __device__ float power_or_zero_3(float v, bool sharp)
{
    return sharp ? power_3(v) : (float)0;
}

static __device__ float power_2_adj(float v, float adj_power_2)
{
    // ---- forward sweep ------------------------------------------------------

    float r = v;
    float dr_dv = 1.0f;
    #pragma unroll 2
    for (int k = 1; k < 2; ++k) {
        dr_dv = v * dr_dv + r;
        r *= v;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  return r
    float adj_r = adj_power_2;
    // 15:  for (int k = 1; k < N; ++k)
    // its tangents, carried along, are what it owes
    adj_r *= dr_dv;
    // 13:  T r = v
    return adj_r;
}

static __device__ float square_adj(float v, float adj_square)
{
    // 7:  return v * v
    return 2.0f * v * adj_square;
}

static __device__ float power_3_adj(float v, float adj_power_3)
{
    // ---- forward sweep ------------------------------------------------------

    float r = v;
    float dr_dv = 1.0f;
    #pragma unroll 3
    for (int k = 1; k < 3; ++k) {
        dr_dv = v * dr_dv + r;
        r *= v;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  return r
    float adj_r = adj_power_3;
    // 15:  for (int k = 1; k < N; ++k)
    // its tangents, carried along, are what it owes
    adj_r *= dr_dv;
    // 13:  T r = v
    return adj_r;
}

static __device__ float power_or_zero_3_adj(float v, bool sharp, float adj_power_or_zero_3)
{
    float adj_v = 0.0f;

    // 26:  return sharp ? power<N, T>(v) : T(0)
    if (sharp)
        adj_v = power_3_adj(v, adj_power_or_zero_3);
    return adj_v;
}

extern "C" __global__ __launch_bounds__(64*2) void blur_adj(
        const float *__restrict__ x, float *__restrict__ adj_x,
        const float *w, float *adj_w,
        float *y, const float *adj_y, int n)
{
    __shared__ float tile[68];
    __shared__ float adj_tile[68];
    for (int q = threadIdx.x; q < 68; q += blockDim.x)
        adj_tile[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    const int i = blockIdx.x * 64 + threadIdx.x - 2;
    tile[threadIdx.x] = i >= 0 && i < n ? x[i] : (float)0;
    if (threadIdx.x < 4)
        tile[threadIdx.x + 64] = i + 64 >= 0 && i + 64 < n ? x[i + 64] : (float)0;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 4; ++k)
        sum += w[k] * tile[threadIdx.x + k];
    float tape_sum = sum;
    sum = power_2(sum) - square(sum) + power_or_zero_3(sum, n > 3);

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    if (i + 2 < n) {
        // 44:  y[i + RADIUS] = std::max<T>(sum, -2)
        if (sum >= -2.0f)
            adj_sum = adj_y[i + 2];
    }

    // 42:  sum = power<RADIUS>(sum) - square(sum) + power_or_zero(sum, n > 3)
    adj_sum = power_2_adj(tape_sum, adj_sum) + square_adj(tape_sum, -adj_sum)
              + power_or_zero_3_adj(tape_sum, n > 3, adj_sum);
    for (int k = 0; k <= 4; ++k) {
        // 40:  sum += w[k] * tile[threadIdx.x + k]
        block_add(&adj_w[k], tile[threadIdx.x + k] * adj_sum);
        adj_tile[threadIdx.x + k] += w[k] * adj_sum;
    }
    __syncthreads();
    if (threadIdx.x < 4) {
        // 36:  tile[threadIdx.x + 64] = i + 64 >= 0 && i + 64 < n ? x[i + 64] : T(0)
        if (i + 64 >= 0 && i + 64 < n)
            atomicAdd(&adj_x[i + 64], adj_tile[threadIdx.x + 64]);
    }

    // 34:  tile[threadIdx.x] = i >= 0 && i < n ? x[i] : T(0)
    if (i >= 0 && i < n)
        atomicAdd(&adj_x[i], adj_tile[threadIdx.x]);
}
