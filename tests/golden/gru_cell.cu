// s2sad: --of next --wrt gates,hidden,h
// The elementwise part of a GRU cell, after the matrix products.
__device__ __forceinline__ float sigmoid(float v) { return 1.0f / (1.0f + __expf(-v)); }

extern "C" __global__ void gru_cell(const float *gates, const float *hidden, const float *h, float *next,
                                    int batch, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * size)
        return;
    int b = i / size, j = i % size;
    int g = 3 * b * size + j;
    float r = sigmoid(gates[g] + hidden[g]);
    float z = sigmoid(gates[g + size] + hidden[g + size]);
    float m = tanhf(gates[g + 2 * size] + r * hidden[g + 2 * size]);
    next[i] = (1.0f - z) * m + z * h[i];
}
