// Sparse k-means, second kernel: the squared distance of each row to the nearest centre, from the centre's
// squared norm and the row's elements: |c|^2 + sum of v (v - 2 c). A thread is one row.
// s2sad: --of nearest --wrt centres,norm2
extern "C" __global__ void kmeans_sparse(const int *__restrict__ start, const int *__restrict__ column,
                                         const float *__restrict__ value, const float *__restrict__ centres,
                                         const float *__restrict__ norm2, float *__restrict__ nearest, int n,
                                         int K, int d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = INFINITY;
    for (int k = 0; k < K; ++k) {
        float distance2 = norm2[k];
        for (int e = start[i]; e < start[i + 1]; ++e)
            distance2 += value[e] * (value[e] - 2.0f * centres[k * d + column[e]]);
        if (distance2 < best)
            best = distance2;
    }
    nearest[i] = best;
}
