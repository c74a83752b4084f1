// activations_adj: adjoint of activations (activations.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform activations.cu --of y --wrt x,slope
//
// Call with x as it was before activations. Seed adj_y with dJ/dy: it is left alone,
// because activations stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dslope is added to adj_slope. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, gelu, softplus, elu,   reloaded   still in its variable
//   swish, mish, hard
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_slope   reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   fminf: at a tie the first argument takes the whole adjoint
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
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

extern "C" __global__ void activations_adj(const float *x, float *adj_x,
                                           float slope, float *adj_slope,
                                           float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_slope_sum = 0.0f;
    if (i < n) {
        float v = x[i];
        float gelu = 0.5f * v * (1.0f + erff(v * 0.70710678f));
        float softplus = log1pf(expf(v));
        float elu = v > 0.0f ? v : slope * expm1f(v);
        float swish = v / (1.0f + expf(-slope * v));
        float mish = v * tanhf(softplus);
        float hard = fminf(fmaxf(0.2f * v + 0.5f, 0.0f), 1.0f);

        // 15:  y[i] = gelu * softplus + elu * swish - mish * hard + logf(1.0f + v * v)
        float g = adj_y[i];
        float adj_softplus = gelu * g;
        float adj_elu = swish * g;
        float adj_mish = -(hard * g);
        float adj_v = 2.0f * v * g / (1.0f + v * v);

        // 14:  float hard = fminf(fmaxf(0.2f * v + 0.5f, 0.0f), 1.0f)
        if (fmaxf(0.2f * v + 0.5f, 0.0f) <= 1.0f && 0.2f * v + 0.5f >= 0.0f)
            adj_v -= 0.2f * mish * g;

        // 13:  float mish = v * tanhf(softplus)
        float r = tanhf(softplus);
        adj_v += r * adj_mish;
        adj_softplus += v * (1.0f - r * r) * adj_mish;

        // 12:  float swish = v / (1.0f + expf(-slope * v))
        float g_2 = elu * g / (1.0f + expf(-slope * v));
        adj_v += g_2;
        float g_3 = -(swish * expf(-slope * v) * g_2);
        adj_slope_sum = -(v * g_3);
        adj_v -= slope * g_3;

        // 11:  float elu = v > 0.0f ? v : slope * expm1f(v)
        if (v > 0.0f) {
            adj_v += adj_elu;
        } else {
            adj_slope_sum += expm1f(v) * adj_elu;
            adj_v += slope * (expm1f(v) + 1.0f) * adj_elu;
        }

        // 10:  float softplus = log1pf(expf(v))
        adj_v += expf(v) * adj_softplus / (1.0f + expf(v));
        // 9:  float gelu = 0.5f * v * (1.0f + erff(v * 0.70710678f))
        adj_v += (0.5f * (1.0f + erff(v * 0.70710678f))
                  + 1.1283791670955126f * 0.70710678f * (0.5f * v)
                  * expf(-(v * 0.70710678f) * (v * 0.70710678f))) * softplus * g;
        // 8:  float v = x[i]
        adj_x[i] += adj_v;
    }
    block_add(adj_slope, adj_slope_sum);
}
