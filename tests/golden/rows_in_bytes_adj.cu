// rows_in_bytes_adj: adjoint of rows_in_bytes (rows_in_bytes.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rows_in_bytes.cu --of y --wrt x
//
// Call with x and order as they were before rows_in_bytes. Seed adj_y with dJ/dy: it is
// left alone, because rows_in_bytes stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   cell_at            tape_cell_at[rows], global memory   line 15 changes it in each
//                                                          iteration
//   sum                reloaded                            still in its variable
//   places_at          recomputed                          from values at hand, in the
//                                                          reversed iteration
//   x[..], order[..]   reloaded                            nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   stretches given by order may overlap
//
// Extra memory: a tape of rows * sizeof(long) bytes (tape_cell_at) per thread, in
// global memory; rows_in_bytes_adj_tape_bytes(grid, block, pitch, rows, columns, twice)
// says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t rows_in_bytes_adj_tape_bytes(dim3 grid, dim3 block, int pitch, int rows,
                                               int columns, int twice)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (rows > 0 ? rows : 0) * sizeof(long) + 15) / 16 * 16;  // tape_cell_at
    return bytes;
}
#endif

extern "C" __global__ void rows_in_bytes_adj(const float *x, float *adj_x, const int *order,
                                             float *y, const float *adj_y, int pitch, int rows,
                                             int columns, int twice, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    long *tape_cell_at = (long *)(tape + 16) + thread;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < columns) {
        // ---- forward sweep ------------------------------------------------------

        float sum = 0.0f;
        long cell_at = c;
        for (int r = 0; r < rows; r++) {
            tape_cell_at[r * threads] = cell_at;
            const long places_at = r * pitch / ((long)sizeof(int));
            sum += x[r * columns + order[places_at + c]]
                   * x[r * columns + order[places_at + (columns - 1 - c)]] + x[order[cell_at]];
            cell_at = cell_at + pitch / ((long)sizeof(int));
        }

        // ---- reverse sweep ------------------------------------------------------

        float adj_sum = 0.0f;
        if (twice > 0) {
            // 19:  more[c] = sum * sum
            adj_sum = 2.0f * sum * adj_y[columns + c];
        }

        // 17:  y[c] = sum
        adj_sum += adj_y[c];
        for (int r = 0; r < rows; ++r) {
            long cell_at = tape_cell_at[r * threads];
            const long places_at = r * pitch / ((long)sizeof(int));

            // 14:  sum += row[places[c]] * row[places[columns - 1 - c]] + x[*cell]
            atomicAdd(&adj_x[r * columns + order[places_at + c]],
                      x[r * columns + order[places_at + (columns - 1 - c)]] * adj_sum);
            atomicAdd(&adj_x[r * columns + order[places_at + (columns - 1 - c)]],
                      x[r * columns + order[places_at + c]] * adj_sum);
            atomicAdd(&adj_x[order[cell_at]], adj_sum);
        }
    }
}
