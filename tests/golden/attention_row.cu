// s2sad: --of o --wrt q,k,v
#define DIM 4

// One query for each thread; softmax over the keys with a running maximum.
extern "C" __global__ void attention_row(const float *__restrict__ q, const float *__restrict__ k,
                                         const float *__restrict__ v, float *__restrict__ o,
                                         int queries, int keys, float scale)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= queries)
        return;
    float acc[DIM] = {0.0f};
    float top = -1e30f;
    float sum = 0.0f;
    for (int j = 0; j < keys; ++j) {
        float s = 0.0f;
        for (int d = 0; d < DIM; ++d)
            s += q[row * DIM + d] * k[j * DIM + d];
        s *= scale;
        float new_top = fmaxf(top, s);
        float shrink = expf(top - new_top);
        float p = expf(s - new_top);
        sum = sum * shrink + p;
        for (int d = 0; d < DIM; ++d)
            acc[d] = acc[d] * shrink + p * v[j * DIM + d];
        top = new_top;
    }
    for (int d = 0; d < DIM; ++d)
        o[row * DIM + d] = acc[d] / sum;
}
