// Adjoint of kmeans_norms.  of norm2, wrt centres.
//   adj_centres   d|c|^2 = 2 c: no sum is needed again. A block owns the rows of its threads: +=. All its threads
//                 share each row, so that neighbours access neighbouring elements, and few centres occupy them all
extern "C" __global__ void kmeans_norms_adj(const float *__restrict__ centres, float *__restrict__ adj_centres,
                                            float *__restrict__ norm2, const float *__restrict__ adj_norm2, int K,
                                            int d)
{
    const int first = blockIdx.x * blockDim.x;
    const int end = min(first + (int)blockDim.x, K);
    for (int k = first; k < end; ++k) {
        const float g = 2.0f * adj_norm2[k];
        for (int j = threadIdx.x; j < d; j += blockDim.x)
            adj_centres[k * d + j] += g * centres[k * d + j];
    }
}
