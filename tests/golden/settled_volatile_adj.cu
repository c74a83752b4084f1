// settled_volatile_adj: adjoint of settled_volatile (settled_volatile.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform settled_volatile.cu --of y,total --wrt x
//
// Call with x as it was before settled_volatile. Seed adj_y with dJ/dy: it is left
// alone, because settled_volatile stores each element of y at most once. Seed adj_total
// with dJ/dtotal: it is left alone, because settled_volatile stores each element of
// total at most once. dJ/dx is added to adj_x. y, total and done are neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   v          reloaded   still in its variable
//   tile[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, rims atomic   blocks share the elements of x at their rims, and
//                                    no others
//   adj_tile[..]   +=, by phase      each place hits an element once per block, with
//                                    barriers between them
//   adj_sums[..]   +=, by phase      each place hits an element once per block and
//                                    iteration, with barriers between them
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

extern "C" __global__ void settled_volatile_adj(const float *x, float *adj_x,
                                                float *y, const float *adj_y,
                                                float *total, const float *adj_total, int *done,
                                                int n)
{
    __shared__ float tile[BLOCK + 2];
    __shared__ float adj_tile[BLOCK + 2];
    __shared__ float adj_sums[BLOCK];
    for (int q = threadIdx.x; q < BLOCK + 2; q += blockDim.x)
        adj_tile[q] = 0.0f;
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_sums[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    tile[t + 1] = i < n ? x[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 ? x[i - 1] : 0.0f;
    else if (t == BLOCK - 1)
        tile[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f;
    __syncthreads();
    float v = tile[t] * tile[t + 1] - tile[t + 2];
    float adj_v = 0.0f;
    if (i < n) {
        // 38:  y[i] = sinf(v)
        adj_v = cosf(v) * adj_y[i];
    }
    if (t == 0) {
        // 34:  total[blockIdx.x] = sums[0]
        adj_sums[0] += adj_total[blockIdx.x];
    }
    float adj_v_2;
    if (t < 32)
        adj_v_2 = 0.0f;
    for (int d = 1; d <= 32; d *= 2) {
        __syncthreads();
        if (t < 32) {
            // 11:  s[t] = v
            adj_v_2 += adj_sums[t];
            adj_sums[t] = 0.0f;
            __syncwarp();

            // 9:  v += s[t + d]
            adj_sums[t + d] += adj_v_2;
        }
    }
    __syncthreads();
    if (t < 32) {
        // 7:  float v = s[t]
        adj_sums[t] += adj_v_2;
    }

    // 29:  sums[t] = v * v
    adj_v += 2.0f * v * adj_sums[t];

    // 28:  float v = tile[t] * tile[t + 1] - tile[t + 2]
    adj_tile[t] += tile[t + 1] * adj_v;
    __syncthreads();
    adj_tile[t + 1] += tile[t] * adj_v;
    __syncthreads();
    adj_tile[t + 2] -= adj_v;
    __syncthreads();
    if (t == 0) {
        // 24:  tile[0] = i > 0 ? x[i - 1] : 0.0f
        if (i > 0)
            atomicAdd(&adj_x[i - 1], adj_tile[0]);
    } else if (t == BLOCK - 1) {
        // 26:  tile[BLOCK + 1] = i + 1 < n ? x[i + 1] : 0.0f
        if (i + 1 < n)
            atomicAdd(&adj_x[i + 1], adj_tile[BLOCK + 1]);
    }

    // 22:  tile[t + 1] = i < n ? x[i] : 0.0f
    if (i < n)
        if (i % BLOCK == BLOCK - 1 || i % BLOCK == 0)
            atomicAdd(&adj_x[i], adj_tile[t + 1]);
        else
            adj_x[i] += adj_tile[t + 1];
}
