// planes_grid_stride_adj: adjoint of planes_grid_stride (planes_grid_stride.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform planes_grid_stride.cu --of out --wrt x
//
// Call with x as it was before planes_grid_stride. Seed adj_out with dJ/dout: it is
// left alone, because planes_grid_stride stores each element of out at most once. dJ/dx
// is added to adj_x. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void planes_grid_stride_adj(const float *x, float *adj_x,
                                       float *out, const float *adj_out, int channels, int pixels)
{
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < pixels;
         index += blockDim.x * gridDim.x)
        for (int c = 0; c < channels; ++c) {
            // 7:  out[c * pixels + index] = sinf(x[c * pixels + index])
            adj_x[c * pixels + index] += cosf(x[c * pixels + index]) * adj_out[c * pixels + index];
        }
}
