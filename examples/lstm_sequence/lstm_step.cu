// One step in time of an LSTM for a batch: a thread computes one hidden unit of one sequence. The cell c is
// updated in place; the new hidden state goes to another array, since all threads read the old one.
// s2sad: --of h_next,c --wrt x,h,c,weight,bias
__device__ inline float sigmoid(float z) { return 1.0f / (1.0f + expf(-z)); }

extern "C" __global__ void lstm_step(const float *x, const float *h, float *c, const float *weight,
                                     const float *bias, float *h_next, int batch, int inputs, int hidden)
{
    int unit = blockIdx.x * blockDim.x + threadIdx.x;
    int sequence = blockIdx.y;
    if (unit >= hidden || sequence >= batch)
        return;

    // gate g of this unit: row g * hidden + unit of the weights, first for the inputs, then for h
    float gate[4];
    const int width = inputs + hidden;
    for (int g = 0; g < 4; ++g) {
        float z = bias[g * hidden + unit];
        for (int i = 0; i < inputs; ++i)
            z += weight[(g * hidden + unit) * width + i] * x[sequence * inputs + i];
        for (int j = 0; j < hidden; ++j)
            z += weight[(g * hidden + unit) * width + inputs + j] * h[sequence * hidden + j];
        gate[g] = z;
    }
    const int at = sequence * hidden + unit;
    float cell = sigmoid(gate[0]) * c[at] + sigmoid(gate[1]) * tanhf(gate[2]);
    c[at] = cell;
    h_next[at] = sigmoid(gate[3]) * tanhf(cell);
}
