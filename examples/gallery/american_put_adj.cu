// american_put_adj: adjoint of american_put (american_put.cu:11).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform american_put.cu --of price --wrt options
//
// Call with options as it was before american_put. Seed adj_price with dJ/dprice: it is
// left alone, because american_put stores each element of price at most once.
// dJ/doptions is added to adj_options. price is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   o.spot, o.strike, o.rate,   reloaded                            still in its variable
//   o.volatility, dt, up,
//   grow, p, keep_up,
//   keep_down
//   spot (line 24)              tape_spot_2, a register             line 34 overwrites it
//   spot (line 29)              tape_spot[STEPS], local memory      line 34 changes it in
//                                                                   each iteration
//   held, spot (line 34)        recomputed                          from values at hand, in
//                                                                   the reversed iteration
//   value[node + 1]             tape_value[STEPS], local memory     line 36 overwrites it
//   value[node]                 tape_value_2[STEPS], local memory   line 36 overwrites it
//
// How adjoints are added up:
//   adj_options[..].spot         reduced per block   all threads of a block read the
//                                                    same options[blockIdx.x].spot
//   adj_options[..].strike       reduced per block   all threads of a block read the
//                                                    same options[blockIdx.x].strike
//   adj_options[..].years        reduced per block   all threads of a block read the
//                                                    same options[blockIdx.x].years
//   adj_options[..].rate         reduced per block   all threads of a block read the
//                                                    same options[blockIdx.x].rate
//   adj_options[..].volatility   reduced per block   all threads of a block read the
//                                                    same
//                                                    options[blockIdx.x].volatility
//   adj_value[..]                +=, by phase        each place hits an element once
//                                                    per block, with barriers between
//                                                    them
//   adj_value[..]                +=, by phase        between two barriers one thread
//                                                    per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//   powf: where its partial is infinite a zero adjoint contributes zero
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define STEPS 31

struct Option {
    float spot, strike, years, rate, volatility;
};

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

extern "C" __global__ void american_put_adj(const Option *__restrict__ options, Option *adj_options,
                                            float *__restrict__ price,
                                            const float *__restrict__ adj_price)
{
    __shared__ float value[STEPS + 1];
    __shared__ float adj_value[STEPS + 1];
    for (int q = threadIdx.x; q < STEPS + 1; q += blockDim.x)
        adj_value[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    const int node = threadIdx.x;
    const Option o = options[blockIdx.x];

    const float dt = o.years / STEPS;
    const float up = expf(o.volatility * sqrtf(dt));
    const float grow = expf(o.rate * dt);
    const float p = (grow - 1.0f / up) / (up - 1.0f / up);
    const float keep_up = p / grow;
    const float keep_down = (1.0f - p) / grow;

    // At expiry: node ups among STEPS moves.
    float spot = o.spot * powf(up, 2.0f * node - STEPS);
    float tape_spot_2 = spot;
    value[node] = fmaxf(o.strike - spot, 0.0f);
    __syncthreads();

    float tape_value[STEPS];
    float tape_value_2[STEPS];
    float tape_spot[STEPS];
    // Back to today: the option is worth what it brings if held, or now.
    for (int level = STEPS - 1; level >= 0; --level) {
        tape_spot[level] = spot;
        float held = 0.0f;
        if (node <= level) {
            tape_value[level] = value[node + 1];
            tape_value_2[level] = value[node];
            held = keep_up * value[node + 1] + keep_down * value[node];
        }
        __syncthreads();
        spot *= up;
        if (node <= level)
            value[node] = fmaxf(held, o.strike - spot);
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    if (node == 0) {
        // 40:  price[blockIdx.x] = value[0]
        adj_value[0] += adj_price[blockIdx.x];
    }
    float adj_keep_down = 0.0f;
    float adj_keep_up = 0.0f;
    float adj_up = 0.0f;
    float adj_spot = 0.0f;
    Option adj_o = {};
    for (int level = 0; level < STEPS; ++level) {
        float spot = tape_spot[level];
        float held = 0.0f;
        if (node <= level)
            held = keep_up * tape_value[level] + keep_down * tape_value_2[level];
        __syncthreads();
        float adj_held = 0.0f;
        if (node <= level) {
            // 36:  value[node] = fmaxf(held, o.strike - spot)
            float g = adj_value[node];
            if (fmaxf(held, o.strike - spot * up) == held) {
                adj_held = g;
            } else {
                adj_o.strike += g;
                adj_spot -= g;
            }
            adj_value[node] = 0.0f;
        }

        // 34:  spot *= up
        adj_up += spot * adj_spot;
        adj_spot *= up;
        __syncthreads();
        if (node <= level) {
            // 32:  held = keep_up * value[node + 1] + keep_down * value[node]
            adj_keep_up += tape_value[level] * adj_held;
            adj_value[node + 1] += keep_up * adj_held;
            adj_keep_down += tape_value_2[level] * adj_held;
        }
        __syncthreads();
        if (node <= level)
            adj_value[node] += keep_down * adj_held;
    }
    __syncthreads();

    // 25:  value[node] = fmaxf(o.strike - spot, 0.0f)
    float g = adj_value[node];
    if (o.strike - tape_spot_2 >= 0.0f) {
        adj_o.strike += g;
        adj_spot -= g;
    }

    // 24:  float spot = o.spot * powf(up, 2.0f * node - STEPS)
    float g_2 = o.spot * adj_spot;
    if (g_2 != 0.0f && 2.0f * node - STEPS != 0.0f)
        adj_up += (2.0f * node - STEPS) * powf(up, 2.0f * node - STEPS - 1.0f) * g_2;

    // 21:  keep_down = (1.0f - p) / grow
    float g_3 = adj_keep_down / grow;
    float adj_p = -g_3;
    float adj_grow = -(keep_down * g_3);

    // 21:  const float keep_up = p / grow
    float g_4 = adj_keep_up / grow;
    adj_p += g_4;
    adj_grow -= keep_up * g_4;

    // 20:  const float p = (grow - 1.0f / up) / (up - 1.0f / up)
    float g_5 = adj_p / (up - 1.0f / up);
    adj_grow += g_5;
    float r = 1.0f / up;
    adj_up += r * r * g_5;
    float g_6 = -(p * g_5);
    adj_up += g_6 + r * r * g_6;

    // 19:  const float grow = expf(o.rate * dt)
    float g_7 = grow * adj_grow;
    float adj_dt = o.rate * g_7;

    // 18:  const float up = expf(o.volatility * sqrtf(dt))
    float g_8 = up * adj_up;
    float g_9 = o.volatility * g_8;
    if (g_9 != 0.0f)
        adj_dt += 0.5f * g_9 * rsqrtf(dt);

    // 15:  const Option o = options[blockIdx.x]
    block_add(&adj_options[blockIdx.x].spot, powf(up, 2.0f * node - STEPS) * adj_spot);
    block_add(&adj_options[blockIdx.x].strike, adj_o.strike);
    block_add(&adj_options[blockIdx.x].years, adj_dt / STEPS);
    block_add(&adj_options[blockIdx.x].rate, dt * g_7);
    block_add(&adj_options[blockIdx.x].volatility, sqrtf(dt) * g_8);
}
