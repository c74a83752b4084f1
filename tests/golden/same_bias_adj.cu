// same_bias_adj: adjoint of same_bias (same_bias.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform same_bias.cu --of y --wrt x,b
//
// Call with x and b as they were before same_bias. Seed adj_y with dJ/dy: it is left
// alone, because same_bias stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/db is added to adj_b. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   b[..], x[..]   reloaded   nothing stores to it
//   s[..]          reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_b[..]   atomicAdd       threads that differ in blockIdx.x and threadIdx.y only
//                               read the same b[tx]
//   adj_x[..]   +=, one owner   one thread per element
//   adj_s[..]   atomicAdd       whoever stores an element may not be its only thread
//   adj_s[..]   exchanged       no proof that only one thread stores an element; one
//                               takes its adjoint
//
// Assumed: the launch is 2-D, no two threads store different values in one s[tx],
// arrays don't overlap, no index wraps.

__global__ void same_bias_adj(const float *x, float *adj_x,
                              const float *b, float *adj_b,
                              float *y, const float *adj_y, int n)
{
    __shared__ float s[16];
    __shared__ float adj_s[16];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < 16; q += blockDim.x * blockDim.y)
        adj_s[q] = 0.0f;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    s[tx] = b[tx] * b[tx];
    __syncthreads();
    int i = (blockIdx.x * 4 + ty) * 16 + tx;
    if (i < n) {
        // 12:  y[i] = s[tx] * x[i] * s[(tx + 3) % 16]
        float g = adj_y[i];
        float g_2 = s[(tx + 3) % 16] * g;
        atomicAdd(&adj_s[tx], x[i] * g_2);
        adj_x[i] += s[tx] * g_2;
        atomicAdd(&adj_s[(tx + 3) % 16], s[tx] * x[i] * g);
    }
    __syncthreads();

    // 8:  s[tx] = b[tx] * b[tx]
    float g = atomicExch(&adj_s[tx], 0.0f);
    atomicAdd(&adj_b[tx], 2.0f * b[tx] * g);
}
