// black_scholes_adj: adjoint of black_scholes (black_scholes.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform black_scholes.cu --of call,put --wrt spot,strike,years,rate,vol
//
// Call with spot, strike and years as they were before black_scholes. Seed adj_call
// with dJ/dcall: it is left alone, because black_scholes stores each element of call at
// most once. Seed adj_put with dJ/dput: it is left alone, because black_scholes stores
// each element of put at most once. dJ/dspot is added to adj_spot; dJ/dstrike is added
// to adj_strike; dJ/dyears is added to adj_years; dJ/drate is added to adj_rate;
// dJ/dvol is added to adj_vol. call and put are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   S, X, T, root, d1, d2,   reloaded   still in its variable
//   discounted
//
// How adjoints are added up:
//   adj_spot[..]     +=, one owner       one thread per element
//   adj_strike[..]   +=, one owner       one thread per element
//   adj_years[..]    +=, one owner       one thread per element
//   adj_rate         reduced per block   every thread has its share in it
//   adj_vol          reduced per block   every thread has its share in it
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

static __device__ inline double cnd(double d)
{
    return 0.5 * erfc(-d * 0.70710678118654752);
}

static __device__ double cnd_adj(double d, double adj_cnd)
{
    // 5:  return 0.5 * erfc(-d * 0.70710678118654752)
    return 0.5 * 1.1283791670955126 * 0.70710678118654752
        * exp(-(-d * 0.70710678118654752) * (-d * 0.70710678118654752)) * adj_cnd;
}

extern "C" __global__ void black_scholes_adj(const double *spot, double *adj_spot,
                                             const double *strike, double *adj_strike,
                                             const double *years, double *adj_years,
                                             double rate, double *adj_rate,
                                             double vol, double *adj_vol,
                                             double *call, const double *adj_call,
                                             double *put, const double *adj_put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_rate_sum = 0.0;
    double adj_vol_sum = 0.0;
    if (i < n) {
        double S = spot[i];
        double X = strike[i];
        double T = years[i];
        double root = sqrt(T);
        double d1 = (log(S / X) + (rate + 0.5 * vol * vol) * T) / (vol * root);
        double d2 = d1 - vol * root;
        double discounted = X * exp(-rate * T);

        // 20:  put[i] = discounted * (1.0 - cnd(d2)) - S * (1.0 - cnd(d1))
        double g = adj_put[i];
        double adj_discounted = (1.0 - cnd(d2)) * g;
        double adj_d2 = cnd_adj(d2, -(discounted * g));
        double adj_S = -((1.0 - cnd(d1)) * g);
        double adj_d1 = cnd_adj(d1, S * g);

        // 19:  call[i] = S * cnd(d1) - discounted * cnd(d2)
        double g_2 = adj_call[i];
        adj_S += cnd(d1) * g_2;
        adj_d1 += cnd_adj(d1, S * g_2);
        adj_discounted -= cnd(d2) * g_2;
        adj_d2 += cnd_adj(d2, -(discounted * g_2));

        // 18:  double discounted = X * exp(-rate * T)
        double adj_X = exp(-rate * T) * adj_discounted;
        double g_3 = X * exp(-rate * T) * adj_discounted;
        adj_rate_sum = -(T * g_3);
        double adj_T = -(rate * g_3);

        // 17:  double d2 = d1 - vol * root
        adj_d1 += adj_d2;
        adj_vol_sum = -(root * adj_d2);
        double adj_root = -(vol * adj_d2);

        // 16:  double d1 = (log(S / X) + (rate + 0.5 * vol * vol) * T) / (vol * root)
        double g_4 = adj_d1 / (vol * root);
        double g_5 = g_4 / (S / X) / X;
        adj_S += g_5;
        adj_X -= S / X * g_5;
        double g_6 = T * g_4;
        adj_rate_sum += g_6;
        adj_vol_sum += vol * g_6;
        adj_T += (rate + 0.5 * vol * vol) * g_4;
        double g_7 = -(d1 * g_4);
        adj_vol_sum += root * g_7;
        adj_root += vol * g_7;

        // 14:  double S = spot[i]
        adj_spot[i] += adj_S;
        // 14:  X = strike[i]
        adj_strike[i] += adj_X;
        // 15:  double root = sqrt(T)
        if (adj_root != 0.0)
            adj_T += 0.5 * adj_root / root;
        // 14:  T = years[i]
        adj_years[i] += adj_T;
    }
    block_add(adj_rate, adj_rate_sum);
    block_add(adj_vol, adj_vol_sum);
}
