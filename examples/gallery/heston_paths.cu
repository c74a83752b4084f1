// Option pricing: a European call under the Heston model by Monte Carlo, on normals drawn before.
// After R. Lord, R. Koekkoek and D. van Dijk, "A comparison of biased simulation schemes for stochastic
// volatility models", Quantitative Finance 10 (2010): Euler steps with full truncation.
#include "reduce.cuh"

#define BLOCK 64
#define STEPS 16

struct Heston {
    float spot, v0;             // today's price and variance
    float kappa, theta, sigma;  // reversion, long-run variance, volatility of variance
    float rho, rate;
};

// s2sad: --of payoff --wrt m
extern "C" __global__ void heston_paths(const float2 *__restrict__ normals, float *payoff, const Heston m,
                                        float strike, float years, int paths)
{
    const int path = blockIdx.x * BLOCK + threadIdx.x;
    float value = 0.0f;
    if (path < paths) {
        const float dt = years / STEPS, sqrt_dt = sqrtf(dt);
        const float rho_bar = sqrtf(1.0f - m.rho * m.rho);
        float x = logf(m.spot), v = m.v0;
        for (int s = 0; s < STEPS; ++s) {
            const float2 z = normals[s * paths + path];
            const float v_plus = fmaxf(v, 0.0f);
            const float root = sqrtf(v_plus) * sqrt_dt;
            x += (m.rate - 0.5f * v_plus) * dt + root * z.x;
            v += m.kappa * (m.theta - v_plus) * dt + m.sigma * root * (m.rho * z.x + rho_bar * z.y);
        }
        value = expf(-m.rate * years) * fmaxf(expf(x) - strike, 0.0f) / paths;
    }
    value = block_sum<BLOCK>(value);
    if (threadIdx.x == 0)
        atomicAdd(payoff, value);
}
