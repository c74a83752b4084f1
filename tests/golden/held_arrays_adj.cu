// summed_rows_adj: adjoint of summed_rows (held_arrays.cu:24).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform held_arrays.cu --of out --wrt in,w
//
// Call with in.x, in.start, out.largest, out.kept.squares and w as they were before
// summed_rows. Seed adj_out.sum with dJ/dout.sum: it is left alone, because summed_rows
// stores each element of out.sum at most once. adj_out.largest comes in as
// dJ/dout.largest after summed_rows and goes out as dJ/dout.largest before it, element
// by element. adj_out.kept.squares comes in as dJ/dout.kept.squares after summed_rows
// and goes out as dJ/dout.kept.squares before it, element by element. dJ/din.x is added
// to adj_in.x; dJ/din.bias is added to adj_in.bias; dJ/dw is added to adj_w. out.sum is
// neither read nor written. out.largest is only read. The content of out.kept.squares
// afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   total                   reloaded     still in its variable
//   v                       recomputed   from values at hand, in the reversed iteration
//   in.start[..], w[..]     reloaded     nothing stores to it
//   out.kept.squares[..],   reloaded     no later store goes to it
//   out.largest[..]
//
// How adjoints are added up:
//   adj_in.x[..]               atomicAdd           stretches given by in.start may
//                                                  overlap
//   adj_out.kept.squares[..]   +=, one owner       one thread per element, the one that
//                                                  stores out.kept.squares[row *
//                                                  out.kept.stride + k]
//   adj_w[..]                  reduced per block   every thread reads the same w[k]
//   adj_in.bias                reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, no two threads store the same out.kept.squares[row *
// out.kept.stride + k], arrays don't overlap, no index wraps.

struct Rows {
    const float *x;
    const int *start;
    float bias;
    int count;
};
struct Result {
    double *sum;
    float *largest;
    struct {
        float *squares;
        int stride;
    } kept;
};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void summed_rows_adj(Rows in, Rows *adj_in,
                                           Result out, Result *adj_out,
                                           const float *w, float *adj_w, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_in_bias_sum = 0.0f;
    float adj_total;
    if (row < n) {
        // ---- forward sweep ------------------------------------------------------

        float total = 0.0f;
        for (int k = 0; k < in.count; ++k) {
            float v = in.x[in.start[row] + k] + in.bias;
            out.kept.squares[row * out.kept.stride + k] = v * v;
            total += out.kept.squares[row * out.kept.stride + k] * w[k];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 36:  out.largest[row] *= total
        adj_total = out.largest[row] * adj_out->largest[row];
        adj_out->largest[row] *= total;

        // 35:  out.sum[row] = total
        adj_total += adj_out->sum[row];
    }
    for (int k = 0; k < in.count; ++k) {
        float adj_w_sum = 0.0f;
        if (row < n) {
            float v = in.x[in.start[row] + k] + in.bias;

            // 33:  total += out.kept.squares[row * out.kept.stride + k] * w[k]
            adj_out->kept.squares[row * out.kept.stride + k] += w[k] * adj_total;
            adj_w_sum = out.kept.squares[row * out.kept.stride + k] * adj_total;

            // 32:  out.kept.squares[row * out.kept.stride + k] = v * v
            float adj_v = 2.0f * v * adj_out->kept.squares[row * out.kept.stride + k];
            adj_out->kept.squares[row * out.kept.stride + k] = 0.0f;

            // 31:  float v = at(in, row, k)
            atomicAdd(&((float *)adj_in->x)[in.start[row] + k], adj_v);
            adj_in_bias_sum += adj_v;
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    block_add(&adj_in->bias, adj_in_bias_sum);
}
