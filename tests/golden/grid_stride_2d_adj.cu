// grid_stride_2d_adj: adjoint of grid_stride_2d (grid_stride_2d.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform grid_stride_2d.cu --of out --wrt in,gain
//
// Call with in and gain as they were before grid_stride_2d. Seed adj_out with dJ/dout:
// it is left alone, because grid_stride_2d stores each element of out at most once.
// dJ/din is added to adj_in; dJ/dgain is added to adj_gain. out is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 9)    tape_v, a register   line 10 overwrites it
//   v (line 10)   recomputed           from values at hand, in the reversed iteration
//   gain[..]      reloaded             nothing stores to it
//
// How adjoints are added up:
//   adj_in[..]     +=, one owner   each thread has elements of its own
//   adj_gain[..]   atomicAdd       threads that differ in blockIdx.x and threadIdx.x
//                                  only read the same gain[y]
//
// At kinks and singular points:
//   fabsf: at 0 its derivative is 0
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

__global__ void grid_stride_2d_adj(const float *in, float *adj_in,
                                   const float *gain, float *adj_gain,
                                   float *out, const float *adj_out, int width, int height)
{
    const int step_x = gridDim.x * blockDim.x;
    const int step_y = gridDim.y * blockDim.y;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += step_y) {
        float adj_gain_sum = 0.0f;
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += step_x) {
            float v = in[y * width + x];
            float tape_v = v;
            v = v / (1.0f + fabsf(v));

            // 11:  out[y * width + x] = gain[y] * v
            float g = adj_out[y * width + x];
            adj_gain_sum += v * g;
            float adj_v = gain[y] * g;

            // 10:  v = v / (1.0f + fabsf(v))
            float g_2 = adj_v / (1.0f + fabsf(tape_v));
            adj_v = g_2 - v * (tape_v > 0.0f ? 1.0f : tape_v < 0.0f ? -1.0f : 0.0f) * g_2;

            // 9:  float v = in[y * width + x]
            adj_in[y * width + x] += adj_v;
        }
        // what the iterations owe, added once
        if (adj_gain_sum != 0.0f)
            atomicAdd(&adj_gain[y], adj_gain_sum);
    }
}
