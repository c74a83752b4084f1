// Exercise gain: every thread reads one number, so its adjoint is a sum over all threads.
// One atomicAdd for each thread would be right and slow. Sum over the block in shared memory first: in each round
// half of the threads add what the other half has. Then one thread of each block adds to adj_a[0].
// When you are done: s2sad lesson check gain.cu
#define BLOCK 32

extern "C" __global__ void gain(const float *a, const float *x, float *y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] = a[0] * x[i];
}

extern "C" __global__ void gain_adj(const float *a, float *adj_a, const float *x, float *adj_x,
                                    float *y, const float *adj_y, int n)
{
    __shared__ float sums[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n)
        adj_x[i] += a[0] * adj_y[i];
    // GAP 1: what this thread adds to adj_a[0], in sums[t]; every thread needs a value there
    sums[t] = i < n ? x[i] * adj_y[i] : 0.0f;
    // END
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        // GAP 2: one round: half of the threads add what the other half has
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
        // END
    }
    // GAP 3: the block's sum goes to adj_a[0]
    if (t == 0)
        atomicAdd(&adj_a[0], sums[0]);
    // END
}
