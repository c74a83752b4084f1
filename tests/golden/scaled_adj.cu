// scaled_adj: adjoint of scaled (scaled.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scaled.cu --of y --wrt x
//
// Seed adj_y with dJ/dy: it is left alone, because scaled stores each element of y at
// most once. dJ/dx is added to adj_x. x and y are neither read nor written.
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void scaled_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 8:  y[i] = 2.0f * x[i]
    adj_x[i] += 2.0f * adj_y[i];
}
