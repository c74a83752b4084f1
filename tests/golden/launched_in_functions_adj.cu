// launched_in_functions_adj: adjoint of launched_in_functions (launched_in_functions.cu:15).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform launched_in_functions.cu --of y --wrt x
//
// Call with x as it was before launched_in_functions. Seed adj_y with dJ/dy: it is left
// alone, because launched_in_functions stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   left_value   reloaded   still in its variable
//   weight[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]        +=, one owner   one thread per element
//   adj_row[..]      +=, by phase    between two barriers one thread per element
//   adj_row[..]      +=, by phase    each place hits an element once per block, with
//                                    barriers between them
//   adj_weight[..]   +=, by phase    between two barriers one thread per element
//
// Extra memory: adj_row lies behind row in the launch's shared memory;
// launched_in_functions_adj_shared_bytes(grid, block, shared_bytes, n) says how many
// bytes to launch with.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for row and adj_row.
extern "C" size_t launched_in_functions_adj_shared_bytes(
        dim3 grid, dim3 block, size_t shared_bytes, int n)
{
    long long count = 64 < (int)block.x ? 64 : (int)block.x;
    return count > 0 ? 2 * (size_t)count * sizeof(float) : 0;
}
#endif

extern "C" __global__ void launched_in_functions_adj(const float *x, float *adj_x,
                                                     float *y, const float *adj_y, int n)
{
    __shared__ float weight[64];
    __shared__ float adj_weight[64];
    // A function that has its own name for the launch's shared memory, and one that uses the
    // file's.
    extern __shared__ float row[];
    int row_size = 64 < (int)blockDim.x ? 64 : (int)blockDim.x;
    float *adj_row = row + row_size;
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_weight[q] = 0.0f;
    for (int q = threadIdx.x; q < row_size; q += blockDim.x)
        adj_row[q] = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    row[threadIdx.x] = i < n ? x[i] : 0.0f;
    weight[threadIdx.x] = 0.5f * row[threadIdx.x];
    __syncthreads();
    float g;
    if (i < n) {
        // 21:  y[i] = weight[threadIdx.x] * left(1.0f) + row[blockDim.x - 1 - threadIdx.x]
        g = adj_y[i];
        adj_weight[threadIdx.x] += (threadIdx.x > 0 ? row[threadIdx.x - 1] : 1.0f) * g;
        adj_row[blockDim.x - 1 - threadIdx.x] += g;
    }
    __syncthreads();
    if (i < n)
        if (threadIdx.x > 0)
            adj_row[threadIdx.x - 1] += weight[threadIdx.x] * g;
    __syncthreads();

    // 10:  weight[threadIdx.x] = 0.5f * loaded[threadIdx.x]
    adj_row[threadIdx.x] += 0.5f * adj_weight[threadIdx.x];
    // 9:  loaded[threadIdx.x] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_row[threadIdx.x];
}
