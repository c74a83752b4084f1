// black_scholes_adj: adjoint of black_scholes (black_scholes.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform black_scholes.cu --of call --wrt spot,strike,years,volatility,rate
//
// Call with spot, strike, years and volatility as they were before black_scholes. Seed
// adj_call with dJ/dcall: it is left alone, because black_scholes stores each element
// of call at most once. dJ/dspot is added to adj_spot; dJ/dstrike is added to
// adj_strike; dJ/dyears is added to adj_years; dJ/dvolatility is added to
// adj_volatility; dJ/drate is added to adj_rate. call is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   spread, d1, d2,             reloaded   still in its variable
//   discounted
//   years[..],                  reloaded   nothing stores to it
//   volatility[..], spot[..],
//   strike[..]
//
// How adjoints are added up:
//   adj_volatility[..]   +=, one owner       one thread per element
//   adj_years[..]        +=, one owner       one thread per element
//   adj_spot[..]         +=, one owner       one thread per element
//   adj_strike[..]       +=, one owner       one thread per element
//   adj_rate             reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
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

static __device__ float normal_cdf(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

static __device__ float normal_cdf_adj(float x, float adj_normal_cdf)
{
    // 4:  return 0.5f * erfcf(-0.70710678f * x)
    return 0.5f * 1.1283791670955126f * 0.70710678f * expf(-(-0.70710678f * x) * (-0.70710678f * x))
        * adj_normal_cdf;
}

extern "C" __global__ void black_scholes_adj(const float *spot, float *adj_spot,
                                             const float *strike, float *adj_strike,
                                             const float *years, float *adj_years,
                                             const float *volatility, float *adj_volatility,
                                             float rate, float *adj_rate,
                                             float *call, const float *adj_call, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_rate_sum = 0.0f;
    if (i < n) {
        float spread = volatility[i] * sqrtf(years[i]);
        float drift = (rate + 0.5f * volatility[i] * volatility[i]) * years[i];
        float d1 = (logf(spot[i] / strike[i]) + drift) / spread;
        float d2 = d1 - spread;
        float discounted = strike[i] * expf(-rate * years[i]);

        // 20:  call[i] = spot[i] * normal_cdf(d1) - discounted * normal_cdf(d2)
        float g = adj_call[i];
        adj_spot[i] += normal_cdf(d1) * g;
        float adj_d1 = normal_cdf_adj(d1, spot[i] * g);
        float adj_discounted = -(normal_cdf(d2) * g);
        float adj_d2 = normal_cdf_adj(d2, -(discounted * g));

        // 19:  float discounted = strike[i] * expf(-rate * years[i])
        adj_strike[i] += expf(-rate * years[i]) * adj_discounted;
        float g_2 = strike[i] * expf(-rate * years[i]) * adj_discounted;
        adj_rate_sum = -(years[i] * g_2);
        adj_years[i] -= rate * g_2;

        // 18:  float d2 = d1 - spread
        adj_d1 += adj_d2;
        float adj_spread = -adj_d2;

        // 17:  float d1 = (logf(spot[i] / strike[i]) + drift) / spread
        float g_3 = adj_d1 / spread;
        float g_4 = g_3 / (spot[i] / strike[i]) / strike[i];
        adj_spot[i] += g_4;
        adj_strike[i] -= spot[i] / strike[i] * g_4;
        adj_spread -= d1 * g_3;

        // 16:  float drift = (rate + 0.5f * volatility[i] * volatility[i]) * years[i]
        float g_5 = years[i] * g_3;
        adj_rate_sum += g_5;
        adj_volatility[i] += volatility[i] * g_5;
        adj_years[i] += (rate + 0.5f * volatility[i] * volatility[i]) * g_3;

        // 15:  float spread = volatility[i] * sqrtf(years[i])
        adj_volatility[i] += sqrtf(years[i]) * adj_spread;
        float g_6 = volatility[i] * adj_spread;
        if (g_6 != 0.0f)
            adj_years[i] += 0.5f * g_6 * rsqrtf(years[i]);
    }
    block_add(adj_rate, adj_rate_sum);
}
