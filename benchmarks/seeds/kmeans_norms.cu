// Sparse k-means, first kernel: the squared norm of each centre. A thread is one centre.
// s2sad: --of norm2 --wrt centres
extern "C" __global__ void kmeans_norms(const float *__restrict__ centres, float *__restrict__ norm2, int K, int d)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= K)
        return;
    float sum = 0.0f;
    for (int j = 0; j < d; ++j)
        sum += centres[k * d + j] * centres[k * d + j];
    norm2[k] = sum;
}
