// s2sad: --of call,put --wrt spot,strike,years,rate,vol
// European options. Two dependents, five independents, three of them by value or shared.
__device__ inline double cnd(double d)
{
    return 0.5 * erfc(-d * 0.70710678118654752);
}

extern "C" __global__ void black_scholes(const double *spot, const double *strike, const double *years,
                                         double rate, double vol, double *call, double *put, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double S = spot[i], X = strike[i], T = years[i];
    double root = sqrt(T);
    double d1 = (log(S / X) + (rate + 0.5 * vol * vol) * T) / (vol * root);
    double d2 = d1 - vol * root;
    double discounted = X * exp(-rate * T);
    call[i] = S * cnd(d1) - discounted * cnd(d2);
    put[i] = discounted * (1.0 - cnd(d2)) - S * (1.0 - cnd(d1));
}
