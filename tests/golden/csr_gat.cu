// s2sad: --of out --wrt score,feature
// Attention over the neighbours of a node: three loops over one row of a sparse graph.
extern "C" __global__ void csr_gat(const int *row_start, const int *col, const float *score,
                                   const float *feature, float *out, int nodes, int width)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nodes)
        return;
    const int first = row_start[r], last = row_start[r + 1];
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
