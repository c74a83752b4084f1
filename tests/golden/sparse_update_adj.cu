// sparse_update_adj: adjoint of sparse_update (sparse_update.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sparse_update.cu --of y --wrt x,y
//
// Call with x and y as they were before sparse_update. adj_y comes in as dJ/dy after
// sparse_update and goes out as dJ/dy before it, element by element. dJ/dx is added to
// adj_x. y is only read.
//
// What the reverse sweep needs, and where it finds it:
//   y[..]   reloaded   no later store goes to it
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void sparse_update_adj(const float *x, float *adj_x,
                                             float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0.0f && i % 2 == 0) {
        // 9:  y[i] = x[i] * y[i] * y[i]
        adj_x[i] += y[i] * y[i] * adj_y[i];
        adj_y[i] *= 2.0f * x[i] * y[i];
    } else if (x[i] < -1.0f) {
        // 11:  y[i] = 0.0f
        adj_y[i] = 0.0f;
    }
}
