// k-means: the squared distance of each point to the nearest centre. A thread is one point.
// s2sad: --of nearest --wrt centres
extern "C" __global__ void kmeans_dense(const float *__restrict__ points, const float *__restrict__ centres,
                                        float *__restrict__ nearest, int n, int K, int d)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = INFINITY;
    for (int k = 0; k < K; ++k) {
        float distance2 = 0.0f;
        for (int j = 0; j < d; ++j) {
            const float difference = points[i * d + j] - centres[k * d + j];
            distance2 += difference * difference;
        }
        if (distance2 < best)
            best = distance2;
    }
    nearest[i] = best;
}
