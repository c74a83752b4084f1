// tree_levels_adj: adjoint of tree_levels (tree_levels.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform tree_levels.cu --of y --wrt x
//
// Call with x as it was before tree_levels. Seed adj_y with dJ/dy: it is left alone,
// because tree_levels stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, spread          reloaded                    still in its variable
//   d                  inverted                    each iteration divides it by 2
//   trips of line 21   trips, a register           the loop decides in its iterations
//                                                  when it ends
//   part[t]            tape_part[3], registers     line 23 overwrites it
//   part[t + d]        tape_part_2[3], registers   line 23 overwrites it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       one thread per element
//   adj_part[..]   +=, by phase        between two barriers one thread per element
//   adj_part[..]   reduced per block   every thread reads part[0]
//   adj_part[..]   reduced per block   every thread reads part[1]
//   adj_part[..]   reduced per block   every thread reads part[3]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 8

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
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

extern "C" __global__ void tree_levels_adj(const float *x, float *adj_x,
                                           float *y, const float *adj_y, int n)
{
    __shared__ float part[BLOCK];
    __shared__ float adj_part[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_part[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float v = i < n ? x[i] : 0.0f;
    part[t] = v * v;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    float spread = part[0] - part[1] + part[3];
    __syncthreads();
    part[t] = v * spread;
    __syncthreads();
    float tape_part[3];
    float tape_part_2[3];
    int trips = 0;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d) {
            tape_part[trips] = part[t];
            tape_part_2[trips] = part[t + d];
            part[t] = fmaxf(part[t], part[t + d]);
        }
        __syncthreads();
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    if (t == 0) {
        // 27:  y[blockIdx.x] = part[0]
        adj_part[0] += adj_y[blockIdx.x];
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        int d = (BLOCK / 2) >> trip;
        __syncthreads();
        if (t < d) {
            // 23:  part[t] = fmaxf(part[t], part[t + d])
            float g = adj_part[t];
            adj_part[t] = 0.0f;
            float part_was = tape_part[trip];
            if (fmaxf(part_was, tape_part_2[trip]) == part_was)
                adj_part[t] += g;
            else
                adj_part[t + d] += g;
        }
    }
    __syncthreads();

    // 19:  part[t] = v * spread
    float g = adj_part[t];
    float adj_v = spread * g;
    float adj_spread = v * g;
    adj_part[t] = 0.0f;

    // 17:  float spread = part[0] - part[1] + part[3]
    block_add(&adj_part[0], adj_spread);
    block_add(&adj_part[1], -adj_spread);
    block_add(&adj_part[3], adj_spread);
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        __syncthreads();
        if (t < d) {
            // 14:  part[t] += part[t + d]
            adj_part[t + d] += adj_part[t];
        }
    }
    __syncthreads();

    // 10:  part[t] = v * v
    adj_v += 2.0f * v * adj_part[t];
    // 9:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
