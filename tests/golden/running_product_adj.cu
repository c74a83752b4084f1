// running_product_adj: adjoint of running_product (running_product.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform running_product.cu --of v --wrt v
//
// Call with v as it was before running_product. adj_v comes in as dJ/dv after
// running_product and goes out as dJ/dv before it, element by element. The content of v
// afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   v[r * cols + c]   tape_v[cols - 1], global memory   line 8 overwrites it
//   v[..]             reloaded                          no later store goes to it
//
// How adjoints are added up:
//   adj_v[..]   +=, one owner   each thread has elements of its own
//
// Extra memory: a tape of ((long long)cols - 1) * sizeof(double) bytes (tape_v) per
// thread, in global memory; running_product_adj_tape_bytes(grid, block, rows, cols)
// says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t running_product_adj_tape_bytes(dim3 grid, dim3 block, int rows, int cols)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_v
    bytes += (threads * ((long long)cols - 1 > 0 ? (long long)cols - 1 : 0) * sizeof(double) + 15)
             / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void running_product_adj(double *v, double *adj_v, int rows, int cols,
                                               char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_v = (double *)(tape + 16) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        // ---- forward sweep ------------------------------------------------------

        for (int c = 1; c < cols; ++c) {
            tape_v[(c - 1) * threads] = v[r * cols + c];
            v[r * cols + c] *= v[r * cols + c - 1];
        }

        // ---- reverse sweep ------------------------------------------------------

        for (int c = cols - 1; c >= 1; --c) {
            // 8:  v[r * cols + c] *= v[r * cols + c - 1]
            double g = adj_v[r * cols + c];
            adj_v[r * cols + c] = v[r * cols + c - 1] * g;
            adj_v[r * cols + c - 1] += tape_v[(c - 1) * threads] * g;
        }
    }
}
