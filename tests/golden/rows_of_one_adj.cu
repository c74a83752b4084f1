// rows_of_one_adj: adjoint of rows_of_one (rows_of_one.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rows_of_one.cu --of y,total --wrt x
//
// Call with x as it was before rows_of_one. Seed adj_y with dJ/dy: it is left alone,
// because rows_of_one stores each element of y at most once. Seed adj_total with
// dJ/dtotal: it is left alone, because rows_of_one stores each element of total at most
// once. dJ/dx is added to adj_x. y and total are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v                  reloaded            still in its variable
//   d                  inverted            each iteration divides it by 2
//   trips of line 15   trips, a register   the loop decides in its iterations when it
//                                          ends
//   part[..]           reloaded            no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      atomicAdd           not proved that two threads never meet in x[c *
//                                      n + i]
//   adj_part[..]   atomicAdd           not proved that two threads never meet in
//                                      part[threadIdx.x + d]
//   adj_part[..]   reduced per block   every thread reads part[0]
//
// Assumed: the launch is 2-D, no two threads store the same y[c * n + i], blockDim.y is
// 1, gridDim.x is 1, arrays don't overlap, no index wraps.

#define BLOCK 8

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

__global__ void rows_of_one_adj(const float *x, float *adj_x,
                                float *y, const float *adj_y,
                                float *total, const float *adj_total, int n, int cols)
{
    // For blockDim.y and gridDim.x of 1, as more threads would race; any other gets NaN.
    if (blockDim.y != 1 || gridDim.x != 1) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ float part[BLOCK];
    __shared__ float adj_part[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int c = blockIdx.y * blockDim.y + threadIdx.y;
    float v = x[c * n + i];
    part[threadIdx.x] = v * v;
    __syncthreads();
    int d = BLOCK / 2;
    int trips = 0;
    while (d != 0) {
        if (threadIdx.x < d)
            part[threadIdx.x] += part[threadIdx.x + d];
        __syncthreads();
        d >>= 1;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    if (threadIdx.x == 0) {
        // 24:  total[blockIdx.y] = part[0]
        atomicAdd(&adj_part[0], adj_total[blockIdx.y]);
    }
    float adj_v = 0.0f;
    float adj_part_0 = 0.0f;
    if (c < cols) {
        // 22:  y[c * n + i] = v * part[0]
        float g = adj_y[c * n + i];
        adj_v = part[0] * g;
        adj_part_0 = v * g;
    }
    block_add(&adj_part[0], adj_part_0);
    for (int trip = trips - 1; trip >= 0; --trip) {
        int d = (BLOCK / 2) >> trip;
        __syncthreads();
        if (threadIdx.x < d) {
            // 17:  part[threadIdx.x] += part[threadIdx.x + d]
            atomicAdd(&adj_part[threadIdx.x + d], adj_part[threadIdx.x]);
        }
    }
    __syncthreads();

    // 12:  part[threadIdx.x] = v * v
    adj_v += 2.0f * v * adj_part[threadIdx.x];
    // 11:  float v = x[c * n + i]
    atomicAdd(&adj_x[c * n + i], adj_v);
}
