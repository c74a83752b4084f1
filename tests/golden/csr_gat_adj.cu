// csr_gat_adj: adjoint of csr_gat (csr_gat.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform csr_gat.cu --of out --wrt score,feature
//
// Call with row_start, col, score and feature as they were before csr_gat. Seed adj_out
// with dJ/dout: it is left alone, because csr_gat stores each element of out at most
// once. dJ/dscore is added to adj_score; dJ/dfeature is added to adj_feature. out is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   top, sum                    reloaded     still in its variable
//   s (line 18), s (line 24),   recomputed   from values at hand, in the reversed
//                                            iteration
//   a
//   col[..], feature[..]        reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_score[..]     atomicAdd   col may repeat
//   adj_feature[..]   atomicAdd   stretches given by col may overlap
//   adj_top           none        top cancels: no result changes with it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void csr_gat_adj(const int *row_start, const int *col,
                                       const float *score, float *adj_score,
                                       const float *feature, float *adj_feature,
                                       float *out, const float *adj_out, int nodes, int width)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nodes)
        return;

    // ---- forward sweep ------------------------------------------------------

    const int first = row_start[r];
    const int last = row_start[r + 1];
    float top = -1e30f;
    for (int k = first; k < last; ++k) {
        float s = score[r] + score[col[k]];
        s = s > 0.0f ? s : 0.2f * s;
        top = fmaxf(top, s);
    }
    float sum = 0.0f;
    for (int k = first; k < last; ++k) {
        float s = score[r] + score[col[k]];
        sum += expf((s > 0.0f ? s : 0.2f * s) - top);
    }

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    float adj_score_sum = 0.0f;
    for (int j = 0; j < width; ++j) {
        // 28:  out[r * width + j] = acc
        float adj_acc = adj_out[r * width + j];
        for (int k = first; k < last; ++k) {
            float s = score[r] + score[col[k]];
            float a = expf((s > 0.0f ? s : 0.2f * s) - top) / sum;

            // 26:  acc += a * feature[col[k] * width + j]
            atomicAdd(&adj_feature[col[k] * width + j], a * adj_acc);
            float adj_s;

            // 25:  float a = expf((s > 0.0f ? s : 0.2f * s) - top) / sum
            float g = feature[col[k] * width + j] * adj_acc / sum;
            float g_2 = expf((s > 0.0f ? s : 0.2f * s) - top) * g;
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
        float g = expf((s > 0.0f ? s : 0.2f * s) - top) * adj_sum;
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
