// sorted_neighbours_adj: adjoint of sorted_neighbours (sorted_neighbours.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform sorted_neighbours.cu --of y --wrt x,w
//
// Call with x and w as they were before sorted_neighbours. Seed adj_y with dJ/dy: it is
// left alone, because sorted_neighbours stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], w[..]       reloaded                       nothing stores to it
//   b (line 15)        recomputed                     from values at hand, in the
//                                                     reversed iteration
//   b (line 16)        inverted                       each iteration subtracts 1
//   trips of line 16   tape_trips[K - 1], registers   its condition reads elements that
//                                                     are overwritten by then
//   near[..]           reloaded                       no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       each thread has elements of its own
//   adj_w[..]   reduced per block   every thread reads the same w[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define K 5

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

__global__ void sorted_neighbours_adj(const float *x, float *adj_x,
                                      const float *w, float *adj_w,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float near[K];
    int tape_trips[K - 1];
    float adj_sum;
    float adj_near[K] = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        for (int k = 0; k < K; ++k)
            near[k] = x[i * K + k] * x[i * K + k];
        for (int a = 1; a < K; ++a) {
            float key = near[a];
            int b = a - 1;
            int trips = 0;
            while (b >= 0 && near[b] > key) {
                near[b + 1] = near[b];
                --b;
                ++trips;
            }
            tape_trips[a - 1] = trips;
            near[b + 1] = key;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 25:  y[i] = sum
        adj_sum = adj_y[i];
    }
    for (int k = 0; k < K; ++k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 24:  sum += w[k] * expf(-near[k])
            adj_w_sum = expf(-near[k]) * adj_sum;
            adj_near[k] -= w[k] * expf(-near[k]) * adj_sum;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    if (i < n) {
        for (int a = K - 1; a >= 1; --a) {
            int trips = tape_trips[a - 1];
            int b = a - 1;

            // 20:  near[b + 1] = key
            float adj_key = adj_near[b - trips + 1];
            adj_near[b - trips + 1] = 0.0f;
            for (int trip = trips - 1; trip >= 0; --trip) {
                // 17:  near[b + 1] = near[b]
                float g = adj_near[b - trip + 1];
                adj_near[b - trip + 1] = 0.0f;
                adj_near[b - trip] += g;
            }

            // 14:  float key = near[a]
            adj_near[a] += adj_key;
        }
        for (int k = K - 1; k >= 0; --k) {
            // 12:  near[k] = x[i * K + k] * x[i * K + k]
            adj_x[i * K + k] += 2.0f * x[i * K + k] * adj_near[k];
        }
    }
}
