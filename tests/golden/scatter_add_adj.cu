// scatter_add_adj: adjoint of scatter_add (scatter_add.cu:2).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scatter_add.cu --of out --wrt x --assume launch:1d
//
// Call with idx as it was before scatter_add. Seed adj_out with dJ/dout: it is left
// alone, because scatter_add only adds to out. dJ/dx is added to adj_x. x and out are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   idx[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: arrays don't overlap, no index wraps, launch:1d.

extern "C" __global__ void scatter_add_adj(const float *x, float *adj_x, const int *idx,
                                           float *out, const float *adj_out, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = nanf("");
        return;
    }
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // 6:  atomicAdd(&out[idx[i]], x[i])
        adj_x[i] += adj_out[idx[i]];
    }
}
