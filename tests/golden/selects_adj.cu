// selects_adj: adjoint of selects (selects.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform selects.cu --of y --wrt x,w
//
// Call with x, w and next as they were before selects. Seed adj_y with dJ/dy: it is
// left alone, because selects stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a, b, c        reloaded   still in its variable
//   x[..], w[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   next may repeat
//   adj_w[..]   atomicAdd   next may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void selects_adj(const float *x, float *adj_x,
                                       const float *w, float *adj_w, const int *next,
                                       float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = next[i] - 1;
    float a = j >= 0 && x[j] > 0.0f ? x[j] * w[i] : w[i] * w[i];
    float b = x[i] < -1.0f ? -1.0f : x[i] > 1.0f ? 1.0f : x[i];
    float c = j < 0 || x[j] < b ? a * b : a - (b > 0.0f ? b : 2.0f * a);

    // 12:  y[i] = c * (j < 0 ? 1.0f : w[j])
    float g = adj_y[i];
    float adj_c = (j < 0 ? 1.0f : w[j]) * g;
    if (j >= 0)
        atomicAdd(&adj_w[j], c * g);
    float adj_b = 0.0f;
    float adj_a;

    // 11:  float c = (j < 0 || x[j] < b) ? a * b : a - (b > 0.0f ? b : 2.0f * a)
    if (j < 0 || x[j] < b) {
        adj_a = b * adj_c;
        adj_b = a * adj_c;
    } else {
        adj_a = adj_c;
        if (b > 0.0f)
            adj_b = -adj_c;
        else
            adj_a -= 2.0f * adj_c;
    }

    // 10:  float b = x[i] < -1.0f ? -1.0f : x[i] > 1.0f ? 1.0f : x[i]
    if (!(x[i] < -1.0f) && !(x[i] > 1.0f))
        atomicAdd(&adj_x[i], adj_b);

    // 9:  float a = j >= 0 && x[j] > 0.0f ? x[j] * w[i] : w[i] * w[i]
    if (j >= 0 && x[j] > 0.0f) {
        atomicAdd(&adj_x[j], w[i] * adj_a);
        atomicAdd(&adj_w[i], x[j] * adj_a);
    } else {
        atomicAdd(&adj_w[i], 2.0f * w[i] * adj_a);
    }
}
