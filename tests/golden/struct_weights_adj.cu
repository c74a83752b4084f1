// smooth_adj: adjoint of smooth (struct_weights.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform struct_weights.cu --of y --wrt x,filter
//
// Call with x as it was before smooth. Seed adj_y with dJ/dy: it is left alone, because
// smooth stores each element of y at most once. dJ/dx is added to adj_x; dJ/dfilter is
// added to adj_filter. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum                   reloaded     still in its variable
//   j                     recomputed   from values at hand, in the reversed iteration
//   x[..], filter.w[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_filter.w[..]   atomicAdd   every thread reads the same filter.w[k]
//   adj_x[..]          atomicAdd   not proved that two threads never meet in x[j]
//   adj_filter.bias    atomicAdd   every thread has its share in it, added once per
//                                  thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TAPS 5

typedef struct {
    float w[TAPS];
    float bias;
    int stride;
} Filter;

__global__ void smooth_adj(const float *x, float *adj_x,
                           Filter filter, Filter *adj_filter,
                           float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float sum = filter.bias;
    for (int k = 0; k < TAPS; ++k) {
        int j = i + (k - TAPS / 2) * filter.stride;
        if (j >= 0 && j < n)
            sum += filter.w[k] * x[j];
    }

    // ---- reverse sweep ------------------------------------------------------

    // 21:  y[i] = tanhf(sum)
    float r = tanhf(sum);
    float adj_sum = (1.0f - r * r) * adj_y[i];
    for (int k = 0; k < TAPS; ++k) {
        int j = i + (k - TAPS / 2) * filter.stride;
        if (j >= 0 && j < n) {
            // 19:  sum += filter.w[k] * x[j]
            atomicAdd(&adj_filter->w[k], x[j] * adj_sum);
            atomicAdd(&adj_x[j], filter.w[k] * adj_sum);
        }
    }

    // 15:  float sum = filter.bias
    atomicAdd(&adj_filter->bias, adj_sum);
}
