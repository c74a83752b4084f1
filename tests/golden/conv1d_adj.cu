// conv1d_adj: adjoint of conv1d (conv1d.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform conv1d.cu --of out --wrt in,w,bias
//
// Call with in and w as they were before conv1d. Seed adj_out with dJ/dout: it is left
// alone, because conv1d stores each element of out at most once. dJ/din is added to
// adj_in; dJ/dw is added to adj_w; dJ/dbias is added to adj_bias. out is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum             reloaded     still in its variable
//   j               recomputed   from values at hand, in the reversed iteration
//   in[..], w[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]    atomicAdd   every thread reads the same w[k + RADIUS]
//   adj_in[..]   atomicAdd   not proved that two threads never meet in in[j]
//   adj_bias     atomicAdd   every thread has its share in it, added once per thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define RADIUS 2

extern "C" __global__ void conv1d_adj(const float *in, float *adj_in,
                                      const float *w, float *adj_w,
                                      float bias, float *adj_bias,
                                      float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float sum = bias;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        int j = i + k;
        if (j >= 0 && j < n)
            sum += w[k + RADIUS] * in[j];
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;

    // 15:  out[i] = sum > 0.0f ? sum : 0.01f * sum
    float g = adj_out[i];
    if (sum > 0.0f)
        adj_sum += g;
    else
        adj_sum += 0.01f * g;
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        int j = i + k;
        if (j >= 0 && j < n) {
            // 13:  sum += w[k + RADIUS] * in[j]
            atomicAdd(&adj_w[k + RADIUS], in[j] * adj_sum);
            atomicAdd(&adj_in[j], w[k + RADIUS] * adj_sum);
        }
    }

    // 9:  float sum = bias
    atomicAdd(adj_bias, adj_sum);
}
