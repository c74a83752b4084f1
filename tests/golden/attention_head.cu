// s2sad: --of o --wrt q,k,v
// One head of attention with an online softmax: a thread for each query, keys and values in tiles.
#define TILE 16
#define D 4
extern "C" __global__ void attention_head(const float *__restrict__ q, const float *__restrict__ k,
                                          const float *__restrict__ v, float *__restrict__ o, int n)
{
    __shared__ float ks[TILE][D];
    __shared__ float vs[TILE][D];
    int t = threadIdx.x;
    int i = blockIdx.x * TILE + t;
    float qi[D];
    float acc[D];
    for (int d = 0; d < D; ++d) {
        qi[d] = i < n ? q[i * D + d] : 0.0f;
        acc[d] = 0.0f;
    }
    float m = -1e30f;
    float l = 0.0f;
    for (int j0 = 0; j0 < n; j0 += TILE) {
        for (int d = 0; d < D; ++d) {
            ks[t][d] = j0 + t < n ? k[(j0 + t) * D + d] : 0.0f;
            vs[t][d] = j0 + t < n ? v[(j0 + t) * D + d] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < TILE && j0 + j < n; ++j) {
            float s = 0.0f;
            for (int d = 0; d < D; ++d)
                s += qi[d] * ks[j][d];
            float m_new = fmaxf(m, s);
            float old = expf(m - m_new);
            float p = expf(s - m_new);
            l = l * old + p;
            for (int d = 0; d < D; ++d)
                acc[d] = acc[d] * old + p * vs[j][d];
            m = m_new;
        }
        __syncthreads();
    }
    if (i < n)
        for (int d = 0; d < D; ++d)
            o[i * D + d] = acc[d] / l;
}
