// blelloch_scan_adj: adjoint of blelloch_scan (blelloch_scan.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform blelloch_scan.cu --of y,total --wrt x
//
// Call with x as it was before blelloch_scan. Seed adj_y with dJ/dy: it is left alone,
// because blelloch_scan stores each element of y at most once. Seed adj_total with
// dJ/dtotal: it is left alone, because blelloch_scan stores each element of total at
// most once. dJ/dx is added to adj_x. y and total are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]                      reloaded     nothing stores to it
//   k (line 13), k (line 24)   recomputed   from values at hand, in the reversed
//                                           iteration
//   s[..]                      reloaded     no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   +=, by phase    between two barriers one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

extern "C" __global__ void blelloch_scan_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                             float *__restrict__ y, const float *__restrict__ adj_y,
                                             float *__restrict__ total,
                                             const float *__restrict__ adj_total, int n)
{
    __shared__ float s[BLOCK];
    __shared__ float adj_s[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_s[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    s[t] = i < n ? expf(x[i]) : 0.0f;
    for (int d = 1; d < BLOCK; d *= 2) {
        __syncthreads();
        int k = (t + 1) * d * 2 - 1;
        if (k < BLOCK)
            s[k] += s[k - d];
    }
    __syncthreads();
    if (t == 0)
        s[BLOCK - 1] = 0.0f;
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        __syncthreads();
        int k = (t + 1) * d * 2 - 1;
        if (k < BLOCK) {
            float left = s[k - d];
            s[k - d] = s[k];
            s[k] += left;
        }
    }
    __syncthreads();

    // ---- reverse sweep ------------------------------------------------------

    if (i < n) {
        // 33:  y[i] = s[t] * s[t]
        adj_s[t] += 2.0f * s[t] * adj_y[i];
    }
    __syncthreads();
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        int k = (t + 1) * d * 2 - 1;
        if (k < BLOCK) {
            // 28:  s[k] += left
            float adj_left = adj_s[k];

            // 27:  s[k - d] = s[k]
            float g = adj_s[k - d];
            adj_s[k - d] = 0.0f;
            adj_s[k] += g;

            // 26:  float left = s[k - d]
            adj_s[k - d] += adj_left;
        }
        __syncthreads();
    }
    if (t == 0) {
        // 19:  total[blockIdx.x] = s[BLOCK - 1]
        adj_s[BLOCK - 1] = adj_total[blockIdx.x];
    }
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        int k = (t + 1) * d * 2 - 1;
        if (k < BLOCK) {
            // 15:  s[k] += s[k - d]
            adj_s[k - d] += adj_s[k];
        }
        __syncthreads();
    }

    // 10:  s[t] = i < n ? expf(x[i]) : 0.0f
    if (i < n)
        adj_x[i] += expf(x[i]) * adj_s[t];
}
