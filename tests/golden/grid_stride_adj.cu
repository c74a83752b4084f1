// grid_stride_adj: adjoint of grid_stride (grid_stride.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform grid_stride.cu --of y --wrt x,a
//
// Call with x and z as they were before grid_stride. Seed adj_y with dJ/dy: it is left
// alone, because grid_stride stores each element of y at most once. adj_z must come in
// zero; its content afterwards is unspecified. dJ/dx is added to adj_x; dJ/da is added
// to adj_a. y is neither read nor written. The content of z afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   z[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_z[..]   +=, one owner       each thread has elements of its own
//   adj_a       reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void grid_stride_adj(const float *x, float *adj_x,
                                           float a, float *adj_a,
                                           float *y, const float *adj_y,
                                           float *z, float *adj_z, int n)
{
    // ---- forward sweep ------------------------------------------------------

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        z[i] = a * x[i];

    // ---- reverse sweep ------------------------------------------------------

    float adj_a_sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        // 8:  y[i] = z[i] * x[i] + a
        float g = adj_y[i];
        adj_z[i] += x[i] * g;
        adj_x[i] += z[i] * g;
        adj_a_sum += g;
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        // 6:  z[i] = a * x[i]
        float g = adj_z[i];
        adj_a_sum += x[i] * g;
        adj_x[i] += a * g;
        adj_z[i] = 0.0f;
    }
    block_add(adj_a, adj_a_sum);
}
