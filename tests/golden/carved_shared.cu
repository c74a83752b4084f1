// s2sad: --of y --wrt x,w
// A row per block: two arrays carved out of one dynamic shared memory, given as bytes.
extern "C" __global__ void carved_shared(const float *x, const float *w, float *y, int n)
{
    extern __shared__ unsigned char memory[];
    float *values = (float *)memory;
    float *weights = (float *)(memory + blockDim.x * sizeof(float));
    const float *row = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;
    int t = threadIdx.x;
    if (t < n) {
        values[t] = row[t];
        weights[t] = w[t] * row[t];
    }
    __syncthreads();
    if (t < n) {
        float left = t > 0 ? values[t - 1] : 0.0f;
        out[t] = left * weights[t] + values[t] * weights[n - 1 - t];
    }
}
