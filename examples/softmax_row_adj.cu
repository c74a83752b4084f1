// softmax_row_adj: adjoint of softmax_row (softmax_row.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform softmax_row.cu --of p --wrt score
//
// Call with score as it was before softmax_row. Seed adj_p with dJ/dp: it is left
// alone, because softmax_row stores each element of p at most once. dJ/dscore is added
// to adj_score. p is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   largest, sum   reloaded   still in its variable
//   score[..]      reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_score[..]   +=, one owner   each thread has elements of its own
//   adj_largest     none            largest cancels: no result changes with it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void softmax_row_adj(const float *score, float *adj_score,
                                           float *p, const float *adj_p, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || cols < 1)
        return;

    // ---- forward sweep ------------------------------------------------------

    int best = 0;
    for (int c = 1; c < cols; ++c)
        if (score[row * cols + c] > score[row * cols + best])
            best = c;
    float largest = score[row * cols + best];

    float sum = 0.0f;
    for (int c = 0; c < cols; ++c)
        sum += expf(score[row * cols + c] - largest);

    // ---- reverse sweep ------------------------------------------------------

    float adj_sum = 0.0f;
    float per_sum = 1.0f / sum;
    for (int c = 0; c < cols; ++c) {
        // 19:  p[row * cols + c] = expf(score[row * cols + c] - largest) / sum
        float g = adj_p[row * cols + c] * per_sum;
        adj_score[row * cols + c] += expf(score[row * cols + c] - largest) * g;
        adj_sum -= expf(score[row * cols + c] - largest) * per_sum * g;
    }
    for (int c = 0; c < cols; ++c) {
        // 17:  sum += expf(score[row * cols + c] - largest)
        adj_score[row * cols + c] += expf(score[row * cols + c] - largest) * adj_sum;
    }
}
