// gram_adj: adjoint of gram (early_return_before_barriers.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform early_return_before_barriers.cu --of y --wrt x
//
// Call with x as it was before gram. Seed adj_y with dJ/dy: it is left alone, because
// gram stores each element of y at most once. dJ/dx is added to adj_x. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   own, acc   reloaded   still in its variable
//   x[..]      reloaded   nothing stores to it
//   s[..]      reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd      not proved that two threads never meet in x[i] and x[(i
//                              + k) % n]
//   adj_s[..]   +=, by phase   between two barriers one thread per element
//
// Assumed: the launch is 1-D, no two threads store the same y[i], arrays don't overlap,
// no index wraps.

#define BLOCK 32

__global__ void gram_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                         float *__restrict__ y, const float *__restrict__ adj_y, int n, int m)
{
    __shared__ float s[BLOCK];
    __shared__ float adj_s[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_s[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * BLOCK + threadIdx.x;
    bool here = i < n;
    const int width = m * 2;
    float acc = 0.0f;
    float own;
    if (here)
        own = x[i];
    for (int k = 0; k < width; ++k) {
        if (here)
            s[threadIdx.x] = own * x[(i + k) % n];
        __syncthreads();
        if (here)
            if (threadIdx.x > 0)
                acc += s[threadIdx.x - 1] * own;
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_own = 0.0f;
    float adj_acc = 0.0f;
    if (!(own > 2.0f))
        if (here) {
            // 22:  y[i] = acc * own
            float g = adj_y[i];
            adj_acc = own * g;
            adj_own = acc * g;
        }
    for (int k = width - 1; k >= 0; --k) {
        if (here)
            s[threadIdx.x] = own * x[(i + k) % n];
        __syncthreads();
        if (here)
            if (threadIdx.x > 0) {
                // 17:  acc += s[threadIdx.x - 1] * own
                adj_s[threadIdx.x - 1] += own * adj_acc;
                adj_own += s[threadIdx.x - 1] * adj_acc;
            }
        __syncthreads();
        if (here) {
            // 14:  s[threadIdx.x] = own * x[(i + k) % n]
            float g = adj_s[threadIdx.x];
            adj_own += x[(i + k) % n] * g;
            atomicAdd(&adj_x[(i + k) % n], own * g);
            adj_s[threadIdx.x] = 0.0f;
        }
    }
    if (here) {
        // 12:  const float own = x[i]
        atomicAdd(&adj_x[i], adj_own);
    }
}
