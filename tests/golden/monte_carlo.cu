// s2sad: --of payoff --wrt spot,drift,vol
// A path of a price. The random numbers come from integers and are the same in both sweeps.
__device__ unsigned int step(unsigned int state)
{
    return state * 1664525u + 1013904223u;
}

extern "C" __global__ void monte_carlo(const float *spot, float drift, float vol, float *payoff, float strike,
                                       unsigned int seed, int paths, int steps)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= paths)
        return;
    unsigned int state = seed ^ (unsigned int)p * 747796405u;
    float price = spot[p], average = 0.0f;
    float dt = 1.0f / steps;
    for (int t = 0; t < steps; ++t) {
        state = step(state);
        float u = (state >> 8) * (1.0f / 16777216.0f) + 1e-7f;
        state = step(state);
        float angle = (state >> 8) * (6.2831853f / 16777216.0f);
        float normal = sqrtf(-2.0f * logf(u)) * cosf(angle);
        price *= expf((drift - 0.5f * vol * vol) * dt + vol * sqrtf(dt) * normal);
        average += price / steps;
    }
    payoff[p] = average > strike ? average - strike : 0.0f;
}
