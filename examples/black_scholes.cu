// European call options by Black and Scholes: the adjoint of the price is its sensitivities, the Greeks.
__device__ float normal_cdf(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

// s2sad: --of call --wrt spot,strike,years,volatility,rate
extern "C" __global__ void black_scholes(const float *spot, const float *strike, const float *years,
                                         const float *volatility, float rate, float *call, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float spread = volatility[i] * sqrtf(years[i]);
    float drift = (rate + 0.5f * volatility[i] * volatility[i]) * years[i];
    float d1 = (logf(spot[i] / strike[i]) + drift) / spread;
    float d2 = d1 - spread;
    float discounted = strike[i] * expf(-rate * years[i]);
    call[i] = spot[i] * normal_cdf(d1) - discounted * normal_cdf(d2);
}
