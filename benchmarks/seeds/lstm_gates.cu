// An LSTM's gates for a batch: the pre-activations of the four gates are the sums that two matrix products left.
__device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

// s2sad: --of h --of c --wrt gates,bias,c_before
extern "C" __global__ void lstm_gates(const float *__restrict__ gates, const float *__restrict__ bias,
                                      const float *__restrict__ c_before, float *__restrict__ h,
                                      float *__restrict__ c, int batch, int hidden)
{
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    const int b = blockIdx.y;
    if (u >= hidden)
        return;
    const float *row = gates + b * 4 * hidden;
    const float input = sigmoid(row[u] + bias[u]);
    const float forget = sigmoid(row[hidden + u] + bias[hidden + u]);
    const float change = tanhf(row[2 * hidden + u] + bias[2 * hidden + u]);
    const float output = sigmoid(row[3 * hidden + u] + bias[3 * hidden + u]);
    const float next = forget * c_before[b * hidden + u] + input * change;
    c[b * hidden + u] = next;
    h[b * hidden + u] = output * tanhf(next);
}
