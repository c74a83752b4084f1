// gru_cell_adj: adjoint of gru_cell (gru_cell.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform gru_cell.cu --of next --wrt gates,hidden,h --mode split
//
// First launch gru_cell_fwd, with the same grid and block: it does what gru_cell does.
// Call with gates, hidden and h as they were before gru_cell. Seed adj_next with
// dJ/dnext: it is left alone, because gru_cell stores each element of next at most
// once. dJ/dgates is added to adj_gates; dJ/dhidden is added to adj_hidden; dJ/dh is
// added to adj_h. next is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, g, r, z, m            recomputed   from values at hand
//   gates[..], hidden[..],   reloaded     nothing stores to it
//   h[..]
//
// How adjoints are added up:
//   adj_gates[..]    +=, one owner   each thread has elements of its own
//   adj_hidden[..]   +=, one owner   each thread has elements of its own
//   adj_h[..]        +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ __forceinline__ float sigmoid(float v)
{
    return 1.0f / (1.0f + __expf(-v));
}

static __device__ float sigmoid_adj(float v, float adj_sigmoid)
{
    float result = 1.0f / (1.0f + __expf(-v));
    // 3:  return 1.0f / (1.0f + __expf(-v))
    return result * result * __expf(-v) * adj_sigmoid;
}

extern "C" __global__ void gru_cell_fwd(const float *gates, const float *hidden, const float *h,
                                        float *next, int batch, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * size)
        return;
    int b = i / size;
    int j = i % size;
    int g = 3 * b * size + j;
    float r = sigmoid(gates[g] + hidden[g]);
    float z = sigmoid(gates[g + size] + hidden[g + size]);
    float m = tanhf(gates[g + 2 * size] + r * hidden[g + 2 * size]);
    next[i] = (1.0f - z) * m + z * h[i];
}

extern "C" __global__ void gru_cell_adj(const float *gates, float *adj_gates,
                                        const float *hidden, float *adj_hidden,
                                        const float *h, float *adj_h,
                                        float *next, const float *adj_next, int batch, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batch * size)
        return;
    int b = i / size;
    int j = i % size;
    int g = 3 * b * size + j;
    float r = sigmoid(gates[g] + hidden[g]);
    float z = sigmoid(gates[g + size] + hidden[g + size]);
    float m = tanhf(gates[g + 2 * size] + r * hidden[g + 2 * size]);

    // 16:  next[i] = (1.0f - z) * m + z * h[i]
    float g_2 = adj_next[i];
    adj_h[i] += z * g_2;

    // 15:  float m = tanhf(gates[g + 2 * size] + r * hidden[g + 2 * size])
    float g_3 = (1.0f - m * m) * (1.0f - z) * g_2;
    adj_gates[g + 2 * size] += g_3;
    adj_hidden[g + 2 * size] += r * g_3;

    // 14:  float z = sigmoid(gates[g + size] + hidden[g + size])
    float g_4 = sigmoid_adj(gates[g + size] + hidden[g + size], (h[i] - m) * g_2);
    adj_gates[g + size] += g_4;
    adj_hidden[g + size] += g_4;

    // 13:  float r = sigmoid(gates[g] + hidden[g])
    float g_5 = sigmoid_adj(gates[g] + hidden[g], hidden[g + 2 * size] * g_3);
    adj_gates[g] += g_5;
    adj_hidden[g] += g_5;
}
