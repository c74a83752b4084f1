// csr_gat_adj: adjoint of csr_gat (csr_gat.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform csr_gat.cu --of out --wrt score,feature --mode split
//
// First launch csr_gat_fwd, with the same grid, block and tape: it does what csr_gat
// does, and records. Call with row_start, col, score and feature as they were before
// csr_gat. Seed adj_out with dJ/dout: it is left alone, because csr_gat stores each
// element of out at most once. dJ/dscore is added to adj_score; dJ/dfeature is added to
// adj_feature. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   r, first, last              recomputed                from values at hand
//   top                         tape_top, global memory   a loop computed it, and only
//                                                         the forward kernel runs that
//   sum                         tape_sum, global memory   a loop computed it, and only
//                                                         the forward kernel runs that
//   s (line 18), s (line 24),   recomputed                from values at hand, in the
//                                                         reversed iteration
//   a
//   col[..], feature[..]        reloaded                  nothing stores to it
//
// How adjoints are added up:
//   adj_score[..]     atomicAdd   col may repeat
//   adj_feature[..]   atomicAdd   stretches given by col may overlap
//   adj_top           none        top cancels: no result changes with it
//
// Extra memory: a tape of sizeof(float) bytes (tape_top) and sizeof(float) bytes
// (tape_sum) per thread, in global memory; csr_gat_adj_tape_bytes(grid, block, nodes,
// width) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t csr_gat_adj_tape_bytes(dim3 grid, dim3 block, int nodes, int width)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_top
    bytes += (threads * 1 * sizeof(float) + 15) / 16 * 16;  // tape_sum
    return bytes;
}
#endif

extern "C" __global__ void csr_gat_fwd(const int *row_start, const int *col, const float *score,
                                       const float *feature, float *out, int nodes, int width,
                                       char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_top = (float *)(tape + at) + thread;
    at += (threads * sizeof(float) + 15) / 16 * 16;
    float *tape_sum = (float *)(tape + at) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nodes)
        return;
    const int first = row_start[r];
    const int last = row_start[r + 1];
    float top = -1e30f;
    for (int k = first; k < last; ++k) {
        float s = score[r] + score[col[k]];
        s = s > 0.0f ? s : 0.2f * s;
        top = fmaxf(top, s);
    }
    *tape_top = top;
    float sum = 0.0f;
    for (int k = first; k < last; ++k) {
        float s = score[r] + score[col[k]];
        sum += expf((s > 0.0f ? s : 0.2f * s) - top);
    }
    *tape_sum = sum;
    for (int j = 0; j < width; ++j) {
        float acc = 0.0f;
        for (int k = first; k < last; ++k) {
            float s = score[r] + score[col[k]];
            float a = expf((s > 0.0f ? s : 0.2f * s) - top) / sum;
            acc += a * feature[col[k] * width + j];
        }
        out[r * width + j] = acc;
    }
}

extern "C" __global__ void csr_gat_adj(const int *row_start, const int *col,
                                       const float *score, float *adj_score,
                                       const float *feature, float *adj_feature,
                                       float *out, const float *adj_out, int nodes, int width,
                                       char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    float *tape_top = (float *)(tape + at) + thread;
    at += (threads * sizeof(float) + 15) / 16 * 16;
    float *tape_sum = (float *)(tape + at) + thread;
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nodes)
        return;
    const int first = row_start[r];
    const int last = row_start[r + 1];
    float adj_sum = 0.0f;
    float adj_score_sum = 0.0f;
    for (int j = 0; j < width; ++j) {
        // 28:  out[r * width + j] = acc
        float adj_acc = adj_out[r * width + j];
        for (int k = first; k < last; ++k) {
            float s = score[r] + score[col[k]];
            float a = expf((s > 0.0f ? s : 0.2f * s) - *tape_top) / *tape_sum;

            // 26:  acc += a * feature[col[k] * width + j]
            atomicAdd(&adj_feature[col[k] * width + j], a * adj_acc);
            float adj_s;

            // 25:  float a = expf((s > 0.0f ? s : 0.2f * s) - top) / sum
            float g = feature[col[k] * width + j] * adj_acc / *tape_sum;
            float g_2 = expf((s > 0.0f ? s : 0.2f * s) - *tape_top) * g;
            if (s > 0.0f)
                adj_s = g_2;
            else
                adj_s = 0.2f * g_2;
            adj_sum -= a * g;

            // 24:  float s = score[r] + score[col[k]]
            adj_score_sum += adj_s;
            atomicAdd(&adj_score[col[k]], adj_s);
        }
    }
    // what the iterations owe, added once
    if (adj_score_sum != 0.0f)
        atomicAdd(&adj_score[r], adj_score_sum);
    float adj_score_sum_2 = 0.0f;
    for (int k = first; k < last; ++k) {
        float s = score[r] + score[col[k]];
        float adj_s;

        // 19:  sum += expf((s > 0.0f ? s : 0.2f * s) - top)
        float g = expf((s > 0.0f ? s : 0.2f * s) - *tape_top) * adj_sum;
        if (s > 0.0f)
            adj_s = g;
        else
            adj_s = 0.2f * g;

        // 18:  float s = score[r] + score[col[k]]
        adj_score_sum_2 += adj_s;
        atomicAdd(&adj_score[col[k]], adj_s);
    }
    // what the iterations owe, added once
    if (adj_score_sum_2 != 0.0f)
        atomicAdd(&adj_score[r], adj_score_sum_2);
}
