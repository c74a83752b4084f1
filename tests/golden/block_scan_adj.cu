// scan_adj: adjoint of scan (block_scan.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_scan.cu --of y --wrt x
//
// Call with x as it was before scan. Seed adj_y with dJ/dy: it is left alone, because
// scan stores each element of y at most once. dJ/dx is added to adj_x. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//   s[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   +=, by phase    between two barriers one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

__global__ void scan_adj(const float *x, float *adj_x, float *y, const float *adj_y, int n)
{
    __shared__ float s[BLOCK];
    __shared__ float adj_s[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_s[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? x[i] * x[i] : 0.0f;
    __syncthreads();
    for (int o = 1; o < BLOCK; o *= 2) {
        float v = 0.0f;
        if (t >= o)
            v = s[t - o];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    if (i < n) {
        // 20:  y[i] = s[t] * s[t]
        adj_s[t] += 2.0f * s[t] * adj_y[i];
    }
    for (int o = BLOCK / 2; o > 0; o /= 2) {
        __syncthreads();

        // 16:  s[t] += v
        float adj_v = adj_s[t];
        __syncthreads();
        if (t >= o) {
            // 14:  v = s[t - o]
            adj_s[t - o] += adj_v;
        }
    }
    __syncthreads();

    // 9:  s[t] = i < n ? x[i] * x[i] : 0.0f
    if (i < n)
        adj_x[i] += 2.0f * x[i] * adj_s[t];
}
