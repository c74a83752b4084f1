// s2sad: --of y --wrt x,w
// A table of places in shared memory says where each thread reads, in the block and elsewhere.
#define BLOCK 32
extern "C" __global__ void shared_indices(const float *__restrict__ x, const float *__restrict__ w,
                                          const int *__restrict__ order, float *__restrict__ y, int n)
{
    __shared__ int place[BLOCK];
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    place[t] = i < n ? order[i] % BLOCK : t;
    s[t] = i < n ? x[i] : 1.0f;
    __syncthreads();
    float v = s[place[t]] * w[place[BLOCK - 1 - t]];
    __syncthreads();
    place[t] = (place[t] + 1) % BLOCK;
    __syncthreads();
    v += s[place[(t + 1) % BLOCK]] * v;
    if (i < n)
        y[i] = v;
}
