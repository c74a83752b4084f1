// batches_of_structs_adj: adjoint of batches_of_structs (batches_of_structs.cu:9).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform batches_of_structs.cu --of y --wrt place,weight
//
// Call with place, weight and order as they were before batches_of_structs. Seed adj_y
// with dJ/dy: it is left alone, because batches_of_structs stores each element of y at
// most once. dJ/dplace is added to adj_place; dJ/dweight is added to adj_weight. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   g, p.x, p.y, p.mass,    recomputed                                                                  from values at hand, in
//                                                                                                       the reversed iteration
//   count, q.y, q.mass, d
//   points[k] (line 30)     tape_q_x[(n + blockDim.x - 1) / blockDim.x][blockDim.x], global memory      line 24 overwrites it
//   points[k] (line 30)     tape_q_y[(n + blockDim.x - 1) / blockDim.x][blockDim.x], global memory      line 24 overwrites it
//   points[k] (line 30)     tape_q_mass[(n + blockDim.x - 1) / blockDim.x][blockDim.x], global memory   line 24 overwrites it
//   ids[k]                  tape_memory[(n + blockDim.x - 1) / blockDim.x][blockDim.x], global memory   line 23 overwrites it
//
// How adjoints are added up:
//   adj_place[..].x        atomicAdd           order may repeat
//   adj_place[..].y        atomicAdd           order may repeat
//   adj_place[..].mass     atomicAdd           order may repeat
//   adj_weight[..]         atomicAdd           order may repeat
//   adj_memory_float[..]   reduced per block   every thread reads the same points[k]
//   adj_memory_float[..]   reduced per block   every thread reads the same pairs[k].a
//   adj_memory_float[..]   reduced per block   every thread reads the same pairs[k].b
//
// Extra memory: memory_float, adj_memory_float and memory lie one behind the other in
// the launch's shared memory; batches_of_structs_adj_shared_bytes(grid, block,
// shared_bytes, n) says how many bytes to launch with. a tape of (((long long)n +
// block.x - 1) / block.x * (int)block.x) * sizeof(int) bytes (tape_memory) and (((long
// long)n + block.x - 1) / block.x * (int)block.x) * sizeof(float) bytes (tape_q_mass)
// and (((long long)n + block.x - 1) / block.x * (int)block.x) * sizeof(float) bytes
// (tape_q_y) and (((long long)n + block.x - 1) / block.x * (int)block.x) *
// sizeof(float) bytes (tape_q_x) per thread, in global memory;
// batches_of_structs_adj_tape_bytes(grid, block, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, what is written to
// memory as one type isn't read as another.

struct Point {
    float x, y, mass;
};

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

#ifndef __CUDACC_RTC__
// The bytes of dynamic shared memory that a launch needs: for memory_float, adj_memory_float and
// memory.
extern "C" size_t batches_of_structs_adj_shared_bytes(dim3 grid, dim3 block, size_t shared_bytes,
                                                      int n)
{
    long long count = 6LL * (int)block.x;
    long long count_2 = block.x;
    return (count > 0 ? 2 * (size_t)count * sizeof(float) : 0)
           + (count_2 > 0 ? (size_t)count_2 * sizeof(int) : 0);
}
#endif

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t batches_of_structs_adj_tape_bytes(dim3 grid, dim3 block, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_memory
    bytes += (threads
              * ((((long long)n + block.x - 1) / block.x > 0
                  ? ((long long)n + block.x - 1) / block.x : 0)
                 * ((int)block.x > 0 ? (int)block.x : 0)) * sizeof(int) + 15) / 16 * 16;
    // tape_q_mass
    bytes += (threads
              * ((((long long)n + block.x - 1) / block.x > 0
                  ? ((long long)n + block.x - 1) / block.x : 0)
                 * ((int)block.x > 0 ? (int)block.x : 0)) * sizeof(float) + 15) / 16 * 16;
    // tape_q_y
    bytes += (threads
              * ((((long long)n + block.x - 1) / block.x > 0
                  ? ((long long)n + block.x - 1) / block.x : 0)
                 * ((int)block.x > 0 ? (int)block.x : 0)) * sizeof(float) + 15) / 16 * 16;
    // tape_q_x
    bytes += (threads
              * ((((long long)n + block.x - 1) / block.x > 0
                  ? ((long long)n + block.x - 1) / block.x : 0)
                 * ((int)block.x > 0 ? (int)block.x : 0)) * sizeof(float) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void batches_of_structs_adj(const Point *place, Point *adj_place,
                                                  const float *weight, float *adj_weight,
                                                  const int *order,
                                                  float *y, const float *adj_y, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    int *tape_memory = (int *)(tape + at) + thread;
    at += (threads * ((n + blockDim.x - 1) / blockDim.x > 0 ? (n + blockDim.x - 1) / blockDim.x : 0)
           * ((int)blockDim.x > 0 ? (int)blockDim.x : 0) * sizeof(int) + 15) / 16 * 16;
    float *tape_q_mass = (float *)(tape + at) + thread;
    at += (threads * ((n + blockDim.x - 1) / blockDim.x > 0 ? (n + blockDim.x - 1) / blockDim.x : 0)
           * ((int)blockDim.x > 0 ? (int)blockDim.x : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_q_y = (float *)(tape + at) + thread;
    at += (threads * ((n + blockDim.x - 1) / blockDim.x > 0 ? (n + blockDim.x - 1) / blockDim.x : 0)
           * ((int)blockDim.x > 0 ? (int)blockDim.x : 0) * sizeof(float) + 15) / 16 * 16;
    float *tape_q_x = (float *)(tape + at) + thread;
    extern __shared__ float memory_float[];
    int memory_float_size = 6 * (int)blockDim.x;
    float *adj_memory_float = memory_float + memory_float_size;
    int *memory = (int *)(adj_memory_float + memory_float_size);
    for (int q = threadIdx.x; q < memory_float_size; q += blockDim.x)
        adj_memory_float[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    const unsigned int shift = 2;
    const long points_at = blockDim.x;
    const long pairs_at = points_at + (long)blockDim.x * 3;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    for (int begin = 0; begin < n; begin += blockDim.x) {
        __syncthreads();
        if (begin + t < n) {
            int g = order[begin + t];
            const Point p = place[g];
            memory[t] = g;
            memory_float[points_at + (long)t * 3] = p.x;
            memory_float[points_at + ((long)t * 3 + 1)] = p.y * p.mass;
            memory_float[points_at + ((long)t * 3 + 2)] = weight[g];
            memory_float[pairs_at + (long)t * 2] = p.x * p.y;
            memory_float[pairs_at + ((long)t * 2 + 1)] = 0.0f;
        }
        __syncthreads();
        int count = min((int)blockDim.x, n - begin);
        for (int k = 0; k < count; ++k) {
            tape_q_x[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k) * threads]
                = memory_float[points_at + (long)k * 3];
            tape_q_y[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k) * threads]
                = memory_float[points_at + ((long)k * 3 + 1)];
            tape_q_mass[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k) * threads]
                = memory_float[points_at + ((long)k * 3 + 2)];
            tape_memory[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k) * threads]
                = memory[k];
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    if (i < n) {
        // 36:  y[i] = sum
        adj_sum = adj_y[i];
    }
    for (int begin = (n + (int)blockDim.x - 1) / (int)blockDim.x * (int)blockDim.x
         - (int)blockDim.x; begin >= 0; begin -= blockDim.x) {
        int count = min((int)blockDim.x, n - begin);
        for (int k = 0; k < count; ++k) {
            const Point q = {tape_q_x[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k)
                                      * threads],
                             tape_q_y[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k)
                                      * threads],
                             tape_q_mass[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k)
                                         * threads]};
            float d = q.x - (float)(i >> shift);

            // 32:  sum += q.mass * d * d * q.y + pairs[k].a * (float)(ids[k] +
            //      __builtin_popcount(i)) + pairs[k].b
            block_add(&adj_memory_float[pairs_at + (long)k * 2],
                      (float)(tape_memory[((size_t)(begin / (int)blockDim.x) * (int)blockDim.x + k)
                                          * threads] + __popc(i)) * adj_sum);
            block_add(&adj_memory_float[pairs_at + ((long)k * 2 + 1)], adj_sum);

            // 30:  const Point q = points[k]
            block_add(&adj_memory_float[points_at + ((long)k * 3 + 2)], d * d * q.y * adj_sum);
            block_add(&adj_memory_float[points_at + ((long)k * 3 + 1)], q.mass * d * d * adj_sum);
            block_add(&adj_memory_float[points_at + (long)k * 3],
                      2.0f * q.mass * d * q.y * adj_sum);
        }
        __syncthreads();
        if (begin + t < n) {
            int g = order[begin + t];
            const float p_x = place[g].x;
            const float p_y = place[g].y;
            const float p_mass = place[g].mass;

            // 25:  pairs[t] = {p.x * p.y}
            adj_memory_float[pairs_at + ((long)t * 2 + 1)] = 0.0f;
            float g_2 = adj_memory_float[pairs_at + (long)t * 2];
            Point adj_p;
            adj_p.x = p_y * g_2;
            adj_p.y = p_x * g_2;
            adj_memory_float[pairs_at + (long)t * 2] = 0.0f;

            // 24:  points[t] = {p.x, p.y * p.mass, weight[g]}
            atomicAdd(&adj_weight[g], adj_memory_float[points_at + ((long)t * 3 + 2)]);
            adj_memory_float[points_at + ((long)t * 3 + 2)] = 0.0f;
            float g_3 = adj_memory_float[points_at + ((long)t * 3 + 1)];
            adj_p.y += p_mass * g_3;
            adj_memory_float[points_at + ((long)t * 3 + 1)] = 0.0f;
            adj_p.x += adj_memory_float[points_at + (long)t * 3];
            adj_memory_float[points_at + (long)t * 3] = 0.0f;

            // 22:  const Point p = place[g]
            atomicAdd(&adj_place[g].x, adj_p.x);
            atomicAdd(&adj_place[g].y, adj_p.y);
            atomicAdd(&adj_place[g].mass, p_y * g_3);
        }
    }
}
