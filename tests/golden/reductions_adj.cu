// reduce_segments_adj: adjoint of reduce_segments (reductions.cu:18).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform reductions.cu --of out --wrt x
//
// Call with x as it was before reduce_segments. Seed adj_out with dJ/dout: it is left
// alone, because reduce_segments stores each element of out at most once. dJ/dx is
// added to adj_x. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   total (line 24)    tape_total[length], global memory   line 25 changes it in each
//                                                          iteration
//   total (line 24),   reloaded                            still in its variable
//   total (line 32)
//   x[..]              reloaded                            nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// At kinks and singular points:
//   sqrt: where its partial is infinite a zero adjoint contributes zero
//
// Extra memory: a tape of length * sizeof(float) bytes (tape_total) per thread, in
// global memory; reduce_segments_adj_tape_bytes(grid, block, segments, length) says how
// many in all.
//
// Of the template reduce_segments this is the instance with T = float, KIND =
// Kind::norm.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ float combined_4(float so_far, float v)
{
    return so_far + v * v;
    return so_far + v;
}

static __device__ void combined_4_adj(float so_far, float *adj_so_far,
                                      float v, float *adj_v, float adj_combined_4)
{
    // 13:  return so_far + v * v
    *adj_so_far += adj_combined_4;
    *adj_v += 2.0f * v * adj_combined_4;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t reduce_segments_adj_tape_bytes(dim3 grid, dim3 block, int segments, int length)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (length > 0 ? length : 0) * sizeof(float) + 15) / 16 * 16;  // tape_total
    return bytes;
}
#endif

extern "C" __global__ void reduce_segments_adj(const float *x, float *adj_x,
                                               float *out, const float *adj_out, int segments,
                                               int length, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float *tape_total = (float *)(tape + 16) + thread;
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments)
        return;

    // ---- forward sweep ------------------------------------------------------

    float total = 0;
    for (int k = 0; k < length; ++k) {
        tape_total[k * threads] = total;
        total = combined_4(total, x[s * length + k]);
    }
    const unsigned char kind = 4;

    // ---- reverse sweep ------------------------------------------------------

    // 37:  out[s] = total
    float adj_total = adj_out[s];
    switch (kind) {
    case 1:
        // 29:  total /= length
        adj_total /= length;
        break;
    case 4: {
        // 32:  total = sqrt(total)
        float g = adj_total;
        adj_total = 0.0f;
        if (g != 0.0f)
            adj_total += 0.5f * g / sqrt(total);
        break;
    }
    }
    for (int k = length - 1; k >= 0; --k) {
        float total = tape_total[k * threads];

        // 25:  total = combined<KIND>(total, x[s * length + k])
        float g = adj_total;
        adj_total = 0.0f;
        float adj_v = 0.0f;
        combined_4_adj(total, &adj_total, x[s * length + k], &adj_v, g);
        adj_x[s * length + k] += adj_v;
    }
}
