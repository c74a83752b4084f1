// Adjoint of kmeans_sparse.  of nearest, wrt centres, norm2.
//   nearest centre   searched again, by the primal's arithmetic
//   adj_norm2        few elements for all rows: summed over the block in shared memory first
//   adj_centres      -2 v for each element of the row, in the nearest centre alone: an atomic each, as rows
//                    share columns
#define SUMS 256  // centres whose norm's adjoint is summed over the block; the others take atomics

extern "C" __global__ void kmeans_sparse_adj(const int *__restrict__ start, const int *__restrict__ column,
                                             const float *__restrict__ value, const float *__restrict__ centres,
                                             float *__restrict__ adj_centres, const float *__restrict__ norm2,
                                             float *__restrict__ adj_norm2, float *__restrict__ nearest,
                                             const float *__restrict__ adj_nearest, int n, int K, int d)
{
    __shared__ float sum[SUMS];
    const int sums = min(SUMS, K);
    for (int k = threadIdx.x; k < sums; k += blockDim.x)
        sum[k] = 0.0f;
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int begin = start[i], end = start[i + 1];
        float best = INFINITY;
        int mine = -1;
        for (int k = 0; k < K; ++k) {
            float distance2 = norm2[k];
            for (int e = begin; e < end; ++e)
                distance2 += value[e] * (value[e] - 2.0f * centres[k * d + column[e]]);
            if (distance2 < best) {
                best = distance2;
                mine = k;
            }
        }
        if (mine >= 0) {
            const float g = adj_nearest[i];
            if (mine < SUMS)
                atomicAdd(&sum[mine], g);
            else
                atomicAdd(&adj_norm2[mine], g);
            for (int e = begin; e < end; ++e)
                atomicAdd(&adj_centres[mine * d + column[e]], -2.0f * g * value[e]);
        }
    }

    __syncthreads();
    for (int k = threadIdx.x; k < sums; k += blockDim.x)
        if (sum[k] != 0.0f)
            atomicAdd(&adj_norm2[k], sum[k]);
}
