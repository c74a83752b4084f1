// scatter_adj: adjoint of scatter (scatter.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scatter.cu --of out --wrt in,scale --assume injective:target
//
// Call with in and target as they were before scatter. Seed adj_out with dJ/dout: it is
// left alone, because scatter stores each element of out at most once. dJ/din is added
// to adj_in; dJ/dscale is added to adj_scale. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   in[..], target[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]   +=, one owner   one thread per element
//   adj_scale    atomicAdd       every thread has its share in it, added once per
//                                thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, injective:target.

extern "C" __global__ void scatter_adj(const float *in, float *adj_in, const int *target,
                                       float scale, float *adj_scale,
                                       float *out, const float *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && target[i] % 3 != 0) {
        // 7:  out[target[i]] = scale * in[i] * in[i]
        float g = adj_out[target[i]];
        atomicAdd(adj_scale, in[i] * in[i] * g);
        adj_in[i] += 2.0f * scale * in[i] * g;
    }
}
