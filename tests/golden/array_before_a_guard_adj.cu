// spread_adj: adjoint of spread (array_before_a_guard.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform array_before_a_guard.cu --of y --wrt x
//
// Call with x as it was before spread. Seed adj_y with dJ/dy: it is left alone, because
// spread stores each element of y at most once. dJ/dx is added to adj_x. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   window[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[(i + k) * w +
//                           j]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void spread_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y, int n, int w)
{
    float window[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_window[8] = {};
    float adj_sum;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        for (int j = 0; j < w; j++)
            window[j] = 0.0f;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < w; j++)
                window[j] += x[(i + k) * w + j];

        // ---- reverse sweep ------------------------------------------------------

        // 17:  y[i] = sum
        adj_sum = adj_y[i];
        for (int j = 0; j < w; ++j) {
            // 16:  sum += window[j] * window[j]
            adj_window[j] += 2.0f * window[j] * adj_sum;
        }
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < w; ++j) {
                // 14:  window[j] += x[(i + k) * w + j]
                atomicAdd(&adj_x[(i + k) * w + j], adj_window[j]);
            }
    }
}
