// block_vote_adj: adjoint of block_vote (block_vote.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_vote.cu --of y --wrt x
//
// Call with x as it was before block_vote. Seed adj_y with dJ/dy: it is left alone,
// because block_vote stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 10)   tape_v, a register   line 12 overwrites it
//   v (line 11)   reloaded             still in its variable
//   s[..]         reloaded             no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   +=, by phase    between two barriers one thread per element
//   adj_s[..]   atomicAdd       not proved that two threads never meet in s[(t + 1) %
//                               64]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void block_vote_adj(const float *x, float *adj_x,
                                          float *y, const float *adj_y, int n)
{
    __shared__ float s[64];
    __shared__ float adj_s[64];
    for (int q = threadIdx.x; q < 64; q += blockDim.x)
        adj_s[q] = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = threadIdx.x;
    s[t] = i < n ? x[i] : 0.0f;
    int large = __syncthreads_count(s[t] > 0.5f);
    float v = s[63 - t];
    float tape_v = v;
    int any = __syncthreads_or(large > 20);
    if (any)
        v *= s[(t + 1) % 64];
    float adj_v = 0.0f;
    if (i < n) {
        // 14:  y[i] = v * v * large
        adj_v = 2.0f * v * large * adj_y[i];
    }
    if (any) {
        // 12:  v *= s[(t + 1) % 64]
        atomicAdd(&adj_s[(t + 1) % 64], tape_v * adj_v);
        adj_v *= s[(t + 1) % 64];
    }
    __syncthreads();

    // 10:  float v = s[63 - t]
    adj_s[63 - t] += adj_v;
    __syncthreads();

    // 8:  s[t] = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_s[t];
}
