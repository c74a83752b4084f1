// block_dot_adj: adjoint of block_dot (block_dot.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform block_dot.cu --of out --wrt x,w
//
// Call with x and w as they were before block_dot. Seed adj_out with dJ/dout: it is
// left alone, because block_dot only adds to out. dJ/dx is added to adj_x; dJ/dw is
// added to adj_w. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   w[..], x[..]   reloaded   nothing stores to it
//   s[..]          reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd      unless the launch is 1-D, several threads read the same
//                              x[i]
//   adj_w[..]   atomicAdd      unless the launch is 1-D, several threads read the same
//                              w[i]
//   adj_s[..]   +=, by phase   between two barriers one thread per element
//
// Assumed: arrays don't overlap, no index wraps.

extern "C" __global__ void block_dot_adj(const float *x, float *adj_x,
                                         const float *w, float *adj_w,
                                         float *out, const float *adj_out, int n)
{
    __shared__ float s;
    __shared__ float adj_s;
    if (threadIdx.x == 0)
        adj_s = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        s = 0.0f;
    __syncthreads();
    if (i < n)
        atomicAdd(&s, x[i] * w[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        // 14:  atomicAdd(out, s * s)
        adj_s += 2.0f * s * *adj_out;
    }
    __syncthreads();
    if (i < n) {
        // 11:  atomicAdd(&s, x[i] * w[i])
        float g = adj_s;
        atomicAdd(&adj_x[i], w[i] * g);
        atomicAdd(&adj_w[i], x[i] * g);
    }
}
