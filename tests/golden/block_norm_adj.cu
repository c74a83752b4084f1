// tree_norm_adj: adjoint of tree_norm (block_norm.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_norm.cu --of out --wrt x
//
// Call with x as it was before tree_norm. Seed adj_out with dJ/dout: it is left alone,
// because tree_norm stores each element of out at most once. dJ/dx is added to adj_x.
// out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v         reloaded   still in its variable
//   sum[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]     +=, one owner   one thread per element
//   adj_sum[..]   +=, by phase    between two barriers one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 64

extern "C" __global__ void tree_norm_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                         float *__restrict__ out, const float *__restrict__ adj_out,
                                         int n)
{
    __shared__ float sum[BLOCK];
    __shared__ float adj_sum[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_sum[q] = 0.0f;

    // ---- forward sweep ------------------------------------------------------

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    float v = i < n ? x[i] : 0.0f;
    sum[t] = v * v;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            sum[t] += sum[t + d];
        __syncthreads();
    }

    // ---- reverse sweep ------------------------------------------------------

    if (t == 0) {
        // 18:  out[blockIdx.x] = sqrtf(sum[0])
        float g = adj_out[blockIdx.x];
        if (g != 0.0f)
            adj_sum[0] += 0.5f * g / sqrtf(sum[0]);
    }
    for (int d = 1; d <= BLOCK / 2; d *= 2) {
        __syncthreads();
        if (t < d) {
            // 14:  sum[t] += sum[t + d]
            adj_sum[t + d] += adj_sum[t];
        }
    }
    __syncthreads();

    // 10:  sum[t] = v * v
    float adj_v = 2.0f * v * adj_sum[t];
    // 9:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
