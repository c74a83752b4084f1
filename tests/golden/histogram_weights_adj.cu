// histogram_weights_adj: adjoint of histogram_weights (histogram_weights.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform histogram_weights.cu --of mass --wrt x,w
//
// Call with x and w as they were before histogram_weights. Seed adj_mass with dJ/dmass:
// it is left alone, because histogram_weights only adds to mass. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. mass is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   at, right      reloaded   still in its variable
//   x[..], w[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   unless the launch is 1-D, several threads read the same
//                           x[i]
//   adj_w[..]   atomicAdd   unless the launch is 1-D, several threads read the same
//                           w[i]
//
// At kinks and singular points:
//   fminf: at a tie the first argument takes the whole adjoint
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: arrays don't overlap, no index wraps.

#define BINS 8

extern "C" __global__ void histogram_weights_adj(const float *x, float *adj_x,
                                                 const float *w, float *adj_w,
                                                 float *mass, const float *adj_mass, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float at = fminf(fmaxf(x[i], 0.0f), BINS - 1.001f);
    int bin = (int)at;
    float right = at - bin;

    // 15:  atomicAdd(&mass[bin + 1], w[i] * right)
    float g = adj_mass[bin + 1];
    float adj_w_i = right * g;
    float adj_right = w[i] * g;

    // 14:  atomicAdd(&mass[bin], w[i] * (1.0f - right))
    float g_2 = adj_mass[bin];
    atomicAdd(&adj_w[i], adj_w_i + (1.0f - right) * g_2);
    adj_right -= w[i] * g_2;

    // 11:  float at = fminf(fmaxf(x[i], 0.0f), BINS - 1.001f)
    if (at == fmaxf(x[i], 0.0f) && x[i] >= 0.0f)
        atomicAdd(&adj_x[i], adj_right);
}
