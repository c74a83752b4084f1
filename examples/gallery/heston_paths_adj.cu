// heston_paths_adj: adjoint of heston_paths (heston_paths.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform heston_paths.cu --of payoff --wrt m
//
// Call with normals as it was before heston_paths. Seed adj_payoff with dJ/dpayoff: it
// is left alone, because heston_paths only adds to payoff. dJ/dm is added to adj_m.
// payoff is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   dt, sqrt_dt, rho_bar, x   reloaded                   still in its variable
//   v                         tape_v[STEPS], registers   line 30 changes it in each
//                                                        iteration
//   z.x, z.y, v_plus, root    recomputed                 from values at hand, in the
//                                                        reversed iteration
//
// How adjoints are added up:
//   adj_value     sum per block       each thread's value is in the block's sum once
//   adj_m.spot    reduced per block   every thread has its share in it
//   adj_m.v0      reduced per block   every thread has its share in it
//   adj_m.kappa   reduced per block   every thread has its share in it
//   adj_m.theta   reduced per block   every thread has its share in it
//   adj_m.sigma   reduced per block   every thread has its share in it
//   adj_m.rho     reduced per block   every thread has its share in it
//   adj_m.rate    reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: blockDim.y and blockDim.z are 1, arrays don't overlap, no index wraps.

#define BLOCK 64
#define STEPS 16

struct Heston {
    float spot, v0;             // today's price and variance
    float kappa, theta, sigma;  // reversion, long-run variance, volatility of variance
    float rho, rate;
};

// The sum of what the block's 64 threads bring, for each of them. All of them call it, once.
static __device__ float block_sum(float value)
{
    __shared__ float sums[2];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = sums[0];
    for (int warp = 1; warp < 2; ++warp)
        value += sums[warp];
    return value;
}

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

extern "C" __global__ void heston_paths_adj(const float2 *__restrict__ normals,
                                            float *payoff, const float *adj_payoff,
                                            const Heston m, Heston *adj_m, float strike,
                                            float years, int paths)
{
    // For blocks of one row, as threads are told apart by threadIdx.x alone; any other gets NaN.
    if (blockDim.y * blockDim.z != 1) {
        adj_m->spot = nanf("");
        adj_m->v0 = nanf("");
        adj_m->kappa = nanf("");
        adj_m->theta = nanf("");
        adj_m->sigma = nanf("");
        adj_m->rho = nanf("");
        adj_m->rate = nanf("");
        return;
    }
    const int path = blockIdx.x * BLOCK + threadIdx.x;
    float adj_value = 0.0f;
    if (threadIdx.x == 0) {
        // 36:  atomicAdd(payoff, value)
        adj_value = *adj_payoff;
    }

    // reduce.cuh:10:  for (int offset = WARP / 2; offset > 0; offset /= 2)
    adj_value = block_sum(adj_value);
    float adj_m_rho_sum = 0.0f;
    float adj_m_sigma_sum = 0.0f;
    float adj_m_theta_sum = 0.0f;
    float adj_m_kappa_sum = 0.0f;
    float adj_m_rate_sum = 0.0f;
    float adj_v = 0.0f;
    float adj_m_spot_sum = 0.0f;
    if (path < paths) {
        const float dt = years / STEPS;
        const float sqrt_dt = sqrtf(dt);
        const float rho_bar = sqrtf(1.0f - m.rho * m.rho);
        float x = logf(m.spot);
        float v = m.v0;
        float tape_v[STEPS];
        for (int s = 0; s < STEPS; ++s) {
            tape_v[s] = v;
            const float2 z = normals[s * paths + path];
            const float v_plus = fmaxf(v, 0.0f);
            const float root = sqrtf(v_plus) * sqrt_dt;
            x += (m.rate - 0.5f * v_plus) * dt + root * z.x;
            v += m.kappa * (m.theta - v_plus) * dt + m.sigma * root * (m.rho * z.x + rho_bar * z.y);
        }
        float adj_x = 0.0f;

        // 32:  value = expf(-m.rate * years) * fmaxf(expf(x) - strike, 0.0f) / paths
        float g = adj_value / paths;
        adj_m_rate_sum = -(fmaxf(expf(x) - strike, 0.0f) * expf(-m.rate * years) * years * g);
        if (expf(x) - strike >= 0.0f)
            adj_x = expf(-m.rate * years) * expf(x) * g;
        float adj_rho_bar = 0.0f;
        for (int s = STEPS - 1; s >= 0; --s) {
            float v = tape_v[s];
            const float z_x = normals[s * paths + path].x;
            const float z_y = normals[s * paths + path].y;
            const float v_plus = fmaxf(v, 0.0f);
            const float root = sqrtf(v_plus) * sqrt_dt;

            // 30:  v += m.kappa * (m.theta - v_plus) * dt + m.sigma * root * (m.rho * z.x + rho_bar
            //      * z.y)
            float g = dt * adj_v;
            adj_m_kappa_sum += (m.theta - v_plus) * g;
            float g_2 = m.kappa * g;
            adj_m_theta_sum += g_2;
            float adj_v_plus = -g_2;
            float g_3 = (m.rho * z_x + rho_bar * z_y) * adj_v;
            adj_m_sigma_sum += root * g_3;
            float adj_root = m.sigma * g_3;
            float g_4 = m.sigma * root * adj_v;
            adj_m_rho_sum += z_x * g_4;
            adj_rho_bar += z_y * g_4;

            // 29:  x += (m.rate - 0.5f * v_plus) * dt + root * z.x
            float g_5 = dt * adj_x;
            adj_m_rate_sum += g_5;
            adj_v_plus -= 0.5f * g_5;
            adj_root += z_x * adj_x;

            // 28:  const float root = sqrtf(v_plus) * sqrt_dt
            float g_6 = sqrt_dt * adj_root;
            if (g_6 != 0.0f)
                adj_v_plus += 0.5f * g_6 * rsqrtf(v_plus);

            // 27:  const float v_plus = fmaxf(v, 0.0f)
            if (v >= 0.0f)
                adj_v += adj_v_plus;
        }

        // 24:  float x = logf(m.spot)
        adj_m_spot_sum = adj_x / m.spot;
        // 23:  const float rho_bar = sqrtf(1.0f - m.rho * m.rho)
        if (adj_rho_bar != 0.0f)
            adj_m_rho_sum -= m.rho * adj_rho_bar / rho_bar;
    }
    block_add(&adj_m->spot, adj_m_spot_sum);
    block_add(&adj_m->v0, adj_v);
    block_add(&adj_m->kappa, adj_m_kappa_sum);
    block_add(&adj_m->theta, adj_m_theta_sum);
    block_add(&adj_m->sigma, adj_m_sigma_sum);
    block_add(&adj_m->rho, adj_m_rho_sum);
    block_add(&adj_m->rate, adj_m_rate_sum);
}
