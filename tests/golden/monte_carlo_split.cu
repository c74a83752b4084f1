// monte_carlo_adj: adjoint of monte_carlo (monte_carlo.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform monte_carlo.cu --of payoff --wrt spot,drift,vol --mode split
//
// First launch monte_carlo_fwd, with the same grid, block and tape: it does what
// monte_carlo does, and records. Seed adj_payoff with dJ/dpayoff: it is left alone,
// because monte_carlo stores each element of payoff at most once. dJ/dspot is added to
// adj_spot; dJ/ddrift is added to adj_drift; dJ/dvol is added to adj_vol. spot and
// payoff are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p, dt     recomputed                         from values at hand
//   price     tape_price[steps], global memory   line 23 changes it in each iteration
//   state     tape_state[steps], global memory   line 18 or 20 changes it in each
//                                                iteration
//   average   tape_average, global memory        a loop computed it, and only the
//                                                forward kernel runs that
//   normal    recomputed                         from values at hand, in the reversed
//                                                iteration
//
// How adjoints are added up:
//   adj_spot[..]   +=, one owner       one thread per element
//   adj_drift      reduced per block   every thread has its share in it
//   adj_vol        reduced per block   every thread has its share in it
//
// Extra memory: a tape of steps * sizeof(float) bytes (tape_price) and steps *
// sizeof(unsigned int) bytes (tape_state) and sizeof(float) bytes (tape_average) per
// thread, in global memory; monte_carlo_adj_tape_bytes(grid, block, drift, vol, strike,
// seed, paths, steps) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

static __device__ unsigned int step(unsigned int state)
{
    return state * 1664525u + 1013904223u;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t monte_carlo_adj_tape_bytes(dim3 grid, dim3 block, float drift, float vol,
                                             float strike, unsigned int seed, int paths, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;  // tape_price
    // tape_state
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(unsigned int) + 15) / 16 * 16;
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_average
    return bytes;
}
#endif

extern "C" __global__ void monte_carlo_fwd(const float *spot, float drift, float vol, float *payoff,
                                           float strike, unsigned int seed, int paths, int steps,
                                           char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_price = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    unsigned int *tape_state = (unsigned int *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(unsigned int) + 15) / 16 * 16;
    float *tape_average = (float *)(tape + at) + thread;
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= paths)
        return;
    unsigned int state = seed ^ ((unsigned int)p * 747796405u);
    float price = spot[p];
    float average = 0.0f;
    float dt = 1.0f / steps;
    for (int t = 0; t < steps; ++t) {
        tape_state[t * threads] = state;
        tape_price[t * threads] = price;
        state = step(state);
        float u = (state >> 8) * (1.0f / 16777216.0f) + 1e-7f;
        state = step(state);
        float angle = (state >> 8) * (6.2831853f / 16777216.0f);
        float normal = sqrtf(-2.0f * logf(u)) * cosf(angle);
        price *= expf((drift - 0.5f * vol * vol) * dt + vol * sqrtf(dt) * normal);
        average += price / steps;
    }
    *tape_average = average;
    payoff[p] = average > strike ? average - strike : 0.0f;
}

extern "C" __global__ void monte_carlo_adj(const float *spot, float *adj_spot,
                                           float drift, float *adj_drift,
                                           float vol, float *adj_vol,
                                           float *payoff, const float *adj_payoff, float strike,
                                           unsigned int seed, int paths, int steps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_price = (float *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(float) + 15) / 16 * 16;
    unsigned int *tape_state = (unsigned int *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(unsigned int) + 15) / 16 * 16;
    float *tape_average = (float *)(tape + at) + thread;
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_vol_sum = 0.0f;
    float adj_drift_sum = 0.0f;
    if (p < paths) {
        float dt = 1.0f / steps;
        float adj_average = 0.0f;

        // 26:  payoff[p] = average > strike ? average - strike : 0.0f
        if (*tape_average > strike)
            adj_average = adj_payoff[p];
        float adj_price = 0.0f;
        for (int t = steps - 1; t >= 0; --t) {
            unsigned int state = tape_state[t * threads];
            float price = tape_price[t * threads];
            state = step(state);
            float u = (state >> 8) * (1.0f / 16777216.0f) + 1e-7f;
            state = step(state);
            float angle = (state >> 8) * (6.2831853f / 16777216.0f);
            float normal = sqrtf(-2.0f * logf(u)) * cosf(angle);

            // 24:  average += price / steps
            adj_price += adj_average / steps;

            // 23:  price *= expf((drift - 0.5f * vol * vol) * dt + vol * sqrtf(dt) * normal)
            float g = price * expf((drift - 0.5f * vol * vol) * dt + vol * sqrtf(dt) * normal)
                      * adj_price;
            float g_2 = dt * g;
            adj_drift_sum += g_2;
            adj_vol_sum += normal * sqrtf(dt) * g - vol * g_2;
            adj_price *= expf((drift - 0.5f * vol * vol) * dt + vol * sqrtf(dt) * normal);
        }

        // 15:  float price = spot[p]
        adj_spot[p] += adj_price;
    }
    block_add(adj_drift, adj_drift_sum);
    block_add(adj_vol, adj_vol_sum);
}
