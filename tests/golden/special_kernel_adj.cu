// soften_adj: adjoint of soften (special_kernel.cu:12).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform special_kernel.cu --of y --wrt x,w
//
// Call with x and w as they were before soften. Seed adj_y with dJ/dy: it is left
// alone, because soften stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   most           reloaded   still in its variable
//   x[..], w[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_w[..]   reduced per block   every thread reads w[0]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//   fabsf: at 0 its derivative is 0
//
// Of the template soften this is the instance with T = float.
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

extern "C" __global__ void soften_adj(const float *x, float *adj_x,
                                      const float *w, float *adj_w,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_w_0 = 0.0f;
    if (i < n) {
        float most = fmaxf(x[i], 0.0f);

        // 17:  y[i] = w[0] * (most + log1pf(expf(-fabsf(x[i]))))
        float g = adj_y[i];
        adj_w_0 = (most + log1pf(expf(-fabsf(x[i])))) * g;
        float g_2 = w[0] * g;
        adj_x[i] -= expf(-fabsf(x[i])) * (x[i] > 0.0f ? 1.0f : x[i] < 0.0f ? -1.0f : 0.0f) * g_2
                    / (1.0f + expf(-fabsf(x[i])));

        // 16:  float most = fmaxf(x[i], 0.0f)
        if (x[i] >= 0.0f)
            adj_x[i] += g_2;
    }
    block_add(&adj_w[0], adj_w_0);
}
