// s2sad: --of call,put --wrt opts
// Black-Scholes for a book of options: a struct by reference, results through pointers.
struct Option { float S, K, r, sigma, T; };
__device__ inline float cnd(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__device__ void blackScholes(const Option &o, float *call, float *put)
{
    const float sqrtT = sqrtf(o.T);
    const float d1 = (logf(o.S / o.K) + (o.r + 0.5f * o.sigma * o.sigma) * o.T) / (o.sigma * sqrtT);
    const float d2 = d1 - o.sigma * sqrtT;
    const float disc = __expf(-o.r * o.T);
    *call = o.S * cnd(d1) - o.K * disc * cnd(d2);
    *put = *call - o.S + o.K * disc;
}
__global__ void price(const Option *opts, float *call, float *put, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        Option o = opts[i];
        blackScholes(o, call + i, put + i);
    }
}
