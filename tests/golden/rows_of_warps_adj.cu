// rows_of_warps_adj: adjoint of rows_of_warps (rows_of_warps.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rows_of_warps.cu --of y --wrt x --assume sorted:start
//
// Call with x and start as they were before rows_of_warps. adj_y comes in as dJ/dy
// after rows_of_warps and goes out as dJ/dy before it, element by element. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element: stretches given by start don't
//                               overlap (assumed)
//
// Assumed: the launch is 1-D, blockDim.x is a multiple of 32, arrays don't overlap, no
// index wraps, sorted:start.

extern "C" __global__ void rows_of_warps_adj(const float *x, float *adj_x,
                                             float *y, float *adj_y, const int *start, int rows)
{
    // For rows of whole warps, as each warp has elements of its own; any other gets NaN.
    if (blockDim.x % 32 != 0) {
        adj_x[0] = nanf("");
        adj_y[0] = nanf("");
        return;
    }
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    for (int k = start[row] + lane + (start[row + 1] - (start[row] + lane) + 31) / 32 * 32 - 32;
         k >= start[row] + lane; k -= 32) {
        // 10:  y[k] = x[k] * sinf(x[k])
        float sine;
        float cosine;
        sincosf(x[k], &sine, &cosine);
        adj_x[k] += (sine + x[k] * cosine) * adj_y[k];
        adj_y[k] = 0.0f;
    }
}
