// block_layer_norm_adj: adjoint of block_layer_norm (block_layer_norm.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_layer_norm.cu --of y,mean,rstd --wrt x,gamma,beta
//
// Call with x and gamma as they were before block_layer_norm. Seed adj_y with dJ/dy: it
// is left alone, because block_layer_norm stores each element of y at most once. Seed
// adj_mean with dJ/dmean: it is left alone, because block_layer_norm stores each
// element of mean at most once. Seed adj_rstd with dJ/drstd: it is left alone, because
// block_layer_norm stores each element of rstd at most once. dJ/dx is added to adj_x;
// dJ/dgamma is added to adj_gamma; dJ/dbeta is added to adj_beta. beta, y, mean and
// rstd are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   m, r               reloaded     still in its variable
//   d                  recomputed   from values at hand, in the reversed iteration
//   gamma[..], x[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   each thread has elements of its own
//   adj_gamma[..]   atomicAdd       every block reads the same gamma[c]
//   adj_beta[..]    atomicAdd       every block reads the same beta[c]
//   adj_part_0      sum per block   each thread's value is in the block's sum once
//
// Assumed: columns >= 0, the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

// The sum of what the block's 32 threads bring, for each of them. All of them call it.
static __device__ float block_sum(float value)
{
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    __syncthreads();
    return value;
}

extern "C" __global__ void block_layer_norm_adj(const float *__restrict__ x,
                                                float *__restrict__ adj_x,
                                                const float *__restrict__ gamma,
                                                float *__restrict__ adj_gamma,
                                                const float *__restrict__ beta,
                                                float *__restrict__ adj_beta,
                                                float *__restrict__ y,
                                                const float *__restrict__ adj_y,
                                                float *__restrict__ mean,
                                                const float *__restrict__ adj_mean,
                                                float *__restrict__ rstd,
                                                const float *__restrict__ adj_rstd, int columns)
{
    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int row = blockIdx.x * columns;
    float sum = 0.0f;
    for (int c = t; c < columns; c += BLOCK)
        sum += x[row + c];
    float m = block_sum(sum) / columns;
    float squares = 0.0f;
    for (int c = t; c < columns; c += BLOCK) {
        float d = x[row + c] - m;
        squares += d * d;
    }
    float r = rsqrtf(block_sum(squares) / columns + 1e-5f);

    // ---- reverse sweep ------------------------------------------------------

    float adj_m = 0.0f;
    float adj_r = 0.0f;
    if (t == 0) {
        // 40:  rstd[blockIdx.x] = r
        adj_r = adj_rstd[blockIdx.x];
        // 39:  mean[blockIdx.x] = m
        adj_m = adj_mean[blockIdx.x];
    }
    for (int c = t; c < columns; c += BLOCK) {
        // 37:  y[row + c] = (x[row + c] - m) * r * gamma[c] + beta[c]
        float g = adj_y[row + c];
        float g_2 = gamma[c] * g;
        float g_3 = r * g_2;
        adj_x[row + c] += g_3;
        adj_m -= g_3;
        adj_r += (x[row + c] - m) * g_2;
        atomicAdd(&adj_gamma[c], (x[row + c] - m) * r * g);
        atomicAdd(&adj_beta[c], g);
    }

    // 28:  part[t] = squares
    float adj_squares = block_sum(-(0.5f * r * r * r * adj_r / columns));
    for (int c = t; c < columns; c += BLOCK) {
        float d = x[row + c] - m;
        // 26:  squares += d * d
        float adj_d = 2.0f * d * adj_squares;

        // 25:  float d = x[row + c] - m
        adj_x[row + c] += adj_d;
        adj_m -= adj_d;
    }

    // 14:  part[t] = sum
    float adj_sum = block_sum(adj_m / columns);
    for (int c = t; c < columns; c += BLOCK) {
        // 13:  sum += x[row + c]
        adj_x[row + c] += adj_sum;
    }
}
