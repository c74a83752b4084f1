// s2sad: --of y --wrt x,w
// Bytes of dynamic shared memory as two arrays, one behind the other: what a cast has made counts numbers.
extern "C" __global__ void carved_in_steps(const float *x, const float *w, float *y, int n)
{
    extern __shared__ unsigned char memory[];
    float *values = reinterpret_cast<float *>(memory);
    float *pairs = reinterpret_cast<float *>(&values[4 * blockDim.x]);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float own = i < n ? x[i] : 0.0f;
    values[4 * t] = own;
    ((float *)((float *)memory + 4 * t))[2] = own * w[t];
    pairs[t] = sinf(own);
    __syncthreads();
    if (i < n)
        y[i] = values[4 * t] * pairs[blockDim.x - 1 - t] + values[4 * t + 2];
}
