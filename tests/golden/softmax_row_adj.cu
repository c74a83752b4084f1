// softmax_row_adj: adjoint of softmax_row (softmax_row.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform softmax_row.cu --of p --wrt z
//
// Call with z and p as they were before softmax_row. adj_p comes in as dJ/dp after
// softmax_row and goes out as dJ/dp before it, element by element. dJ/dz is added to
// adj_z. The content of p afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   top (line 8)        tape_top[cols - 1], global memory   line 9 changes it in each
//                                                           iteration
//   top (line 8), sum   reloaded                            still in its variable
//   top (line 9), e     recomputed                          from values at hand, in the
//                                                           reversed iteration
//   p[row * cols + c]   tape_p[cols], global memory         line 17 overwrites it
//
// How adjoints are added up:
//   adj_z[..]   +=, one owner   each thread has elements of its own
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Extra memory: a tape of ((long long)cols - 1) * sizeof(float) bytes (tape_top) and
// cols * sizeof(float) bytes (tape_p) per thread, in global memory;
// softmax_row_adj_tape_bytes(grid, block, rows, cols) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t softmax_row_adj_tape_bytes(dim3 grid, dim3 block, int rows, int cols)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_top
    bytes += (threads * ((long long)cols - 1 > 0 ? (long long)cols - 1 : 0) * sizeof(float) + 15)
             / 16 * 16;
    bytes += (threads * (cols > 0 ? cols : 0) * sizeof(float) + 15) / 16 * 16;  // tape_p
    return bytes;
}
#endif

extern "C" __global__ void softmax_row_adj(const float *z, float *adj_z,
                                           float *p, float *adj_p, int rows, int cols, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_top = (float *)(tape + at) + thread;
    at += (threads * (cols - 1 > 0 ? cols - 1 : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_p = (float *)(tape + at) + thread;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        // ---- forward sweep ------------------------------------------------------

        float top = z[row * cols];
        for (int c = 1; c < cols; ++c) {
            tape_top[(c - 1) * threads] = top;
            top = fmaxf(top, z[row * cols + c]);
        }
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float e = expf(z[row * cols + c] - top);
            p[row * cols + c] = e;
            sum += e;
        }
        for (int c = 0; c < cols; ++c) {
            tape_p[c * threads] = p[row * cols + c];
            p[row * cols + c] /= sum;
        }

        // ---- reverse sweep ------------------------------------------------------

        float adj_sum = 0.0f;
        float per_sum = 1.0f / sum;
        for (int c = 0; c < cols; ++c) {
            // 17:  p[row * cols + c] /= sum
            float g = adj_p[row * cols + c] * per_sum;
            adj_sum -= tape_p[c * threads] * g * per_sum;
            adj_p[row * cols + c] = g;
        }
        float adj_top = 0.0f;
        for (int c = 0; c < cols; ++c) {
            float e = expf(z[row * cols + c] - top);
            // 14:  sum += e
            float adj_e = adj_sum;

            // 13:  p[row * cols + c] = e
            adj_e += adj_p[row * cols + c];
            adj_p[row * cols + c] = 0.0f;

            // 12:  float e = expf(z[row * cols + c] - top)
            float g = e * adj_e;
            adj_z[row * cols + c] += g;
            adj_top -= g;
        }
        for (int c = cols - 1; c >= 1; --c) {
            float top = tape_top[(c - 1) * threads];

            // 9:  top = fmaxf(top, z[row * cols + c])
            float g = adj_top;
            adj_top = 0.0f;
            if (fmaxf(top, z[row * cols + c]) == top)
                adj_top += g;
            else
                adj_z[row * cols + c] += g;
        }

        // 7:  float top = z[row * cols]
        adj_z[row * cols] += adj_top;
    }
}
