// Option pricing: American puts on a binomial tree, one block per option, the tree's levels in shared memory.
// After J. Cox, S. Ross and M. Rubinstein, "Option pricing: a simplified approach", J. Financ. Econ. 7 (1979).

#define STEPS 31

struct Option {
    float spot, strike, years, rate, volatility;
};

// s2sad: --of price --wrt options
extern "C" __global__ void american_put(const Option *__restrict__ options, float *__restrict__ price)
{
    __shared__ float value[STEPS + 1];
    const int node = threadIdx.x;
    const Option o = options[blockIdx.x];

    const float dt = o.years / STEPS;
    const float up = expf(o.volatility * sqrtf(dt));
    const float grow = expf(o.rate * dt);
    const float p = (grow - 1.0f / up) / (up - 1.0f / up);
    const float keep_up = p / grow, keep_down = (1.0f - p) / grow;

    // At expiry: node ups among STEPS moves.
    float spot = o.spot * powf(up, 2.0f * node - STEPS);
    value[node] = fmaxf(o.strike - spot, 0.0f);
    __syncthreads();

    // Back to today: the option is worth what it brings if held, or now.
    for (int level = STEPS - 1; level >= 0; --level) {
        float held = 0.0f;
        if (node <= level)
            held = keep_up * value[node + 1] + keep_down * value[node];
        __syncthreads();
        spot *= up;
        if (node <= level)
            value[node] = fmaxf(held, o.strike - spot);
        __syncthreads();
    }
    if (node == 0)
        price[blockIdx.x] = value[0];
}
