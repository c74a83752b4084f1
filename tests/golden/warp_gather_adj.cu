// warp_gather_adj: adjoint of warp_gather (warp_gather.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform warp_gather.cu --of y --wrt x
//
// Call with x and from as they were before warp_gather. Seed adj_y with dJ/dy: it is
// left alone, because warp_gather stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, there   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps.

extern "C" __global__ void warp_gather_adj(const float *x, float *adj_x, const int *from,
                                           float *y, const float *adj_y, int n)
{
    // For rows of whole warps, as the primal exchanges values among them; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        return;
    }
    int lane = threadIdx.x % 32;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.0f;
    int source = i < n ? from[i] : 0;
    float there = __shfl_sync(0xffffffffu, v, source);
    float adj_near = 0.0f;
    float adj_there = 0.0f;
    float adj_v = 0.0f;
    if (i < n) {
        // 11:  y[i] = v * there + near
        float g = adj_y[i];
        adj_v = there * g;
        adj_there = v * g;
        adj_near = g;
    }

    // 9:  float near = __shfl_sync(0xffffffffu, v * v, source, 8)
    float back = 0.0f;
    for (int k = 0; k < 8; ++k) {
        int read_from = __shfl_sync(0xffffffffu, source, k, 8);
        float owes = __shfl_sync(0xffffffffu, adj_near, k, 8);
        if ((read_from & 7) == lane % 8)
            back += owes;
    }
    adj_v += 2.0f * v * back;

    // 8:  float there = __shfl_sync(0xffffffffu, v, source)
    for (int k = 0; k < 32; ++k) {
        int read_from = __shfl_sync(0xffffffffu, source, k);
        float owes = __shfl_sync(0xffffffffu, adj_there, k);
        if ((read_from & 31) == lane)
            adj_v += owes;
    }

    // 6:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
