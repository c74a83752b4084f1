// strided_offsets_adj: adjoint of strided_offsets (strided_offsets.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform strided_offsets.cu --of y --wrt x
//
// Call with x as it was before strided_offsets. Seed adj_y with dJ/dy: it is left
// alone, because strided_offsets stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   stride           tape_stride[3], registers   line 20 changes it in each iteration
//   s (line 10)      tape_s_2[3], registers      line 15 changes it in each iteration
//   up (line 11)     tape_up, a register         line 16 overwrites it
//   down (line 12)   tape_down, a register       line 17 overwrites it
//   s (line 14)      tape_s[4], registers        line 15 changes it in each iteration
//   up (line 14)     inverted                    each iteration adds stride
//   down (line 14)   inverted                    each iteration subtracts stride
//   x[..]            reloaded                    nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[up] and x[down
//                           + i]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void strided_offsets_adj(const float *x, float *adj_x,
                                               float *y, const float *adj_y, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float s = 1.0f;
    int stride = width;
    float tape_s_2[3];
    int tape_stride[3];
    for (int pass = 0; pass < 3; ++pass) {
        tape_s_2[pass] = s;
        tape_stride[pass] = stride;
        int up = i;
        unsigned int down = 4u * stride;
        for (int left = 4; left > 0; --left) {
            s = s * x[up] + sinf(x[down + i]);
            up += stride;
            down -= stride;
        }
        stride += pass + 1;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 22:  y[i] = s
    float adj_s = adj_y[i];
    for (int pass = 2; pass >= 0; --pass) {
        float s = tape_s_2[pass];
        int stride = tape_stride[pass];
        int up = i;
        int tape_up = up;
        unsigned int down = 4u * stride;
        unsigned int tape_down = down;
        float tape_s[4];
        for (int left = 4; left > 0; --left) {
            tape_s[4 - left] = s;
            s = s * x[up] + sinf(x[down + i]);
            up += stride;
            down -= stride;
        }
        for (int left = 1; left <= 4; ++left) {
            float s = tape_s[4 - left];
            int up = tape_up + (4 - left) * stride;
            unsigned int down = tape_down - (unsigned int)(4 - left) * stride;

            // 15:  s = s * x[up] + sinf(x[down + i])
            atomicAdd(&adj_x[up], s * adj_s);
            atomicAdd(&adj_x[down + i], cosf(x[down + i]) * adj_s);
            adj_s *= x[up];
        }
    }
}
