// private_columns_adj: adjoint of private_columns (private_columns.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform private_columns.cu --of y --wrt x
//
// Call with x as it was before private_columns. Seed adj_y with dJ/dy: it is left
// alone, because private_columns stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   table[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   each thread has elements of its own
//   adj_table[..]   +=, by phase    without a barrier an element is one thread's own
//
// Extra memory: adj_table lies behind table in the launch's shared memory;
// private_columns_adj_shared_bytes(grid, block, shared_bytes, first, n) says how many
// bytes to launch with.
//
// Assumed: (first) % (4) >= 0, ((first) % (4) + 1) % (4) >= 0, the launch is 1-D,
// arrays don't overlap, no index wraps.

#define ENTRIES 4

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for table and adj_table.
extern "C" size_t private_columns_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                   int first, int n)
{
    long long count = 4LL * (int)block.x;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void private_columns_adj(const float *x, float *adj_x,
                                               float *y, const float *adj_y, int first, int n)
{
    extern __shared__ float table[];
    int table_size = 4 * (int)blockDim.x;
    float *adj_table = table + table_size;
    for (int q = threadIdx.x; q < table_size; q += blockDim.x)
        adj_table[q] = 0.0f;
    __syncthreads();
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int k = 0; k < ENTRIES; ++k)
        table[k * blockDim.x + t] = x[i * ENTRIES + k];
    int j = first % ENTRIES;
    int next = (j + 1) % ENTRIES;

    // ---- reverse sweep ------------------------------------------------------

    // 16:  y[i] = sinf(table[j * blockDim.x + t]) * table[next * blockDim.x + t]
    float g = adj_y[i];
    adj_table[j * blockDim.x + t] += table[next * blockDim.x + t] * cosf(table[j * blockDim.x + t])
                                     * g;
    adj_table[next * blockDim.x + t] += sinf(table[j * blockDim.x + t]) * g;
    for (int k = 0; k < ENTRIES; ++k) {
        // 13:  table[k * blockDim.x + t] = x[i * ENTRIES + k]
        adj_x[i * ENTRIES + k] += adj_table[k * blockDim.x + t];
    }
}
