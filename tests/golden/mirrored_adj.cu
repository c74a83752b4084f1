// mirrored_adj: adjoint of mirrored (mirrored.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform mirrored.cu --of y --wrt x
//
// Call with x and friend_ as they were before mirrored. Seed adj_y with dJ/dy: it is
// left alone, because mirrored stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a, b                 reloaded   still in its variable
//   x[..], friend_[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[i], x[n - 1 -
//                           i], x[friend_[i]] and x[(i + 1) % n]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void mirrored_adj(const float *x, float *adj_x, const int *friend_,
                                        float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = x[i] * x[n - 1 - i];
        float b = x[friend_[i]] - x[(i + 1) % n];

        // 9:  y[i] = a * b * b + x[i] / (2.0f + a * a)
        float g = adj_y[i];
        float adj_a = b * b * g;
        float adj_b = 2.0f * a * b * g;
        float g_2 = g / (2.0f + a * a);
        float adj_x_i = g_2;
        adj_a -= 2.0f * (x[i] / (2.0f + a * a)) * a * g_2;

        // 8:  float b = x[friend_[i]] - x[(i + 1) % n]
        atomicAdd(&adj_x[friend_[i]], adj_b);
        atomicAdd(&adj_x[(i + 1) % n], -adj_b);

        // 7:  float a = x[i] * x[n - 1 - i]
        atomicAdd(&adj_x[i], adj_x_i + x[n - 1 - i] * adj_a);
        atomicAdd(&adj_x[n - 1 - i], x[i] * adj_a);
    }
}
