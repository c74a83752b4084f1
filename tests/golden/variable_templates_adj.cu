// variable_templates_adj: adjoint of variable_templates (variable_templates.cu:22).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform variable_templates.cu --of y --wrt x,taps_float
//
// Call with x and taps_float as they were before variable_templates. Seed adj_y with
// dJ/dy: it is left alone, because variable_templates stores each element of y at most
// once. dJ/dx is added to adj_x; dJ/dtaps_float is added to adj_taps_float. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], taps_float[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_taps_float[..]   reduced per block   every thread reads taps<T>[k], taps<T>[0]
//                                            and taps<T>[2]
//   adj_x[..]            atomicAdd           not proved that two threads never meet in
//                                            x[at + k] and x[i]
//
// Of the template variable_templates this is the instance with T = float.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, the file's variable
// taps<float> (as taps_float) is passed with its value.

#define TAPS 5

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

extern "C" __global__ void variable_templates_adj(const float *x, float *adj_x,
                                                  float *y, const float *adj_y, int n,
                                                  const float *taps_float, float *adj_taps_float)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_taps_float_0 = 0.0f;
    float adj_taps_float_2 = 0.0f;
    float adj_weighted_value;
    if (i < n) {
        // 26:  y[i] = share<T, TAPS - 1> * weighted(x, i, n) + taps<T>[0] * sin(taps<T>[2] * x[i])
        float g = adj_y[i];
        adj_weighted_value = 0.25f * g;
        adj_taps_float_0 = sin(taps_float[2] * x[i]) * g;
        float g_2 = taps_float[0] * cos(taps_float[2] * x[i]) * g;
        adj_taps_float_2 = x[i] * g_2;
        atomicAdd(&adj_x[i], taps_float[2] * g_2);
    }
    for (int k = 0; k < TAPS; ++k) {
        float adj_taps_float_sum = 0.0f;
        if (i < n)
            if (i + k < n) {
                // 17:  sum += taps<T>[k] * x[at + k]
                adj_taps_float_sum = x[i + k] * adj_weighted_value;
                atomicAdd(&adj_x[i + k], taps_float[k] * adj_weighted_value);
            }
        block_add(&adj_taps_float[k], adj_taps_float_sum);
    }
    block_add(&adj_taps_float[0], adj_taps_float_0);
    block_add(&adj_taps_float[2], adj_taps_float_2);
}
