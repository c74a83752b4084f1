// blur_adj: adjoint of blur (companion.cu:25).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform companion.cu --of y --wrt x,filter,gain,lens --companion
//
// Call with x, filter, lens and gain as they were before blur. Seed adj_y with dJ/dy:
// it is left alone, because blur stores each element of y at most once. dJ/dx is added
// to adj_x; dJ/dfilter is added to adj_filter; dJ/dlens is added to adj_lens; dJ/dgain
// is added to adj_gain. y is neither read nor written.
//
// Include it behind companion.cu, in one translation unit: the macros, types,
// constants, variables and device functions that it names are those of that file.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], lens[..].stride,     reloaded               nothing stores to it
//   filter[..],
//   lens[..].scale, gain[..],
//   weight[..]
//   s                           tape_s[2], registers   line 34 changes it in each
//                                                      iteration
//
// How adjoints are added up:
//   adj_filter[..]       reduced per block   every thread reads the same filter[k +
//                                            RADIUS]
//   adj_x[..]            atomicAdd           not proved that two threads never meet in
//                                            x[i + k * lens.stride]
//   adj_gain[..]         reduced per block   every thread reads gain
//   adj_lens[..].scale   reduced per block   every thread reads lens.scale
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BOOST 3

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void blur_block_add(float *where, float value)
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

static __device__ real blur_square(real v)
{
    return v * v;
}

static __device__ real blur_soft_adj(real v, real adj_soft)
{
    // 16:  return v / (1 + fabsf(v))
    float g_2 = adj_soft / (1 + fabsf(v));
    return g_2 - v / (1 + fabsf(v)) * (v > 0.0f ? 1.0f : v < 0.0f ? -1.0f : 0.0f) * g_2;
}

static __device__ real blur_square_adj(real v, real adj_square)
{
    // 22:  return v * v
    return 2.0f * v * adj_square;
}

extern "C" __global__ void blur_adj(const real *x, real *adj_x,
                                    real *y, const real *adj_y, int n, real *adj_filter,
                                    Lens *adj_lens, real *adj_gain)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    real adj_gain_sum = 0.0f;
    real adj_lens_scale_sum = 0.0f;
    bool here = i >= RADIUS * lens.stride && i < n - RADIUS * lens.stride;
    real adj_s;
    if (here) {
        // ---- forward sweep ------------------------------------------------------

        real s = 0;
        for (int k = -RADIUS; k <= RADIUS; ++k)
            s += filter[k + RADIUS] * x[i + k * lens.stride] * BOOST;
        real tape_s[2];
        for (int t = 0; t < HALF_STEPS; ++t) {
            tape_s[t] = s;
            s = soft(blur_square(s) * gain * weight[t % 2]) * lens.scale;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 35:  y[i] = s
        adj_s = adj_y[i];
        for (int t = HALF_STEPS - 1; t >= 0; --t) {
            real s = tape_s[t];

            // 34:  s = soft(square(s) * gain * weight[t % 2]) * lens.scale
            float g_2 = weight[t % 2]
                        * blur_soft_adj(blur_square(s) * gain * weight[t % 2], lens.scale * adj_s);
            adj_gain_sum += blur_square(s) * g_2;
            adj_lens_scale_sum += soft(blur_square(s) * gain * weight[t % 2]) * adj_s;
            adj_s = blur_square_adj(s, gain * g_2);
        }
    }
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        real adj_filter_sum = 0.0f;
        if (here) {
            // 32:  s += filter[k + RADIUS] * x[i + k * lens.stride] * BOOST
            float g_2 = BOOST * adj_s;
            adj_filter_sum = x[i + k * lens.stride] * g_2;
            atomicAdd(&adj_x[i + k * lens.stride], filter[k + RADIUS] * g_2);
        }
        blur_block_add(&adj_filter[k + RADIUS], adj_filter_sum);
    }
    blur_block_add(adj_gain, adj_gain_sum);
    blur_block_add(&adj_lens->scale, adj_lens_scale_sum);
}

#undef BOOST
