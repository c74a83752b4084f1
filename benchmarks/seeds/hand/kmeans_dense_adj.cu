// Adjoint of kmeans_dense.  of nearest, wrt centres.
//   nearest centre   searched again, by the primal's arithmetic
//   adj_centres      d|x - c|^2 / dc = 2 (c - x), for the nearest centre alone. The block lists the points of each
//                    centre; then a thread sums one element of a centre over its list, and adds it by one atomic
#define MOST_THREADS 1024
#define LISTS 256  // centres at a time

extern "C" __global__ void kmeans_dense_adj(const float *__restrict__ points, const float *__restrict__ centres,
                                            float *__restrict__ adj_centres, float *__restrict__ nearest,
                                            const float *__restrict__ adj_nearest, int n, int K, int d)
{
    __shared__ int head[LISTS], next[MOST_THREADS];  // numbers of threads; -1 is the end
    const int block = blockIdx.x * blockDim.x;
    const int i = block + threadIdx.x;

    int mine = -1;
    if (i < n) {
        float best = INFINITY;
        for (int k = 0; k < K; ++k) {
            float distance2 = 0.0f;
            for (int j = 0; j < d; ++j) {
                const float difference = points[i * d + j] - centres[k * d + j];
                distance2 += difference * difference;
            }
            if (distance2 < best) {
                best = distance2;
                mine = k;
            }
        }
    }

    for (int first = 0; first < K; first += LISTS) {
        const int lists = min(LISTS, K - first);
        for (int k = threadIdx.x; k < lists; k += blockDim.x)
            head[k] = -1;
        __syncthreads();
        if (mine >= first && mine < first + lists)
            next[threadIdx.x] = atomicExch(&head[mine - first], (int)threadIdx.x);
        __syncthreads();
        for (int e = threadIdx.x; e < lists * d; e += blockDim.x) {
            const int k = e / d, j = e - k * d;
            int member = head[k];
            if (member < 0)
                continue;
            const float c = centres[first * d + e];
            float sum = 0.0f;
            for (; member >= 0; member = next[member])
                sum += adj_nearest[block + member] * (c - points[(block + member) * d + j]);
            atomicAdd(&adj_centres[first * d + e], 2.0f * sum);
        }
        __syncthreads();
    }
}
