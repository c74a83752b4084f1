// lstm_cell_kernel_adj: adjoint of lstm_cell_kernel (lstm_cell.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lstm_cell.cu --of h,c --wrt gates,c_prev,peep
//
// Call with gates, c_prev and peep as they were before lstm_cell_kernel. Seed adj_h
// with dJ/dh: it is left alone, because lstm_cell_kernel stores each element of h at
// most once. Seed adj_c with dJ/dc: it is left alone, because lstm_cell_kernel stores
// each element of c at most once. dJ/dgates is added to adj_gates; dJ/dc_prev is added
// to adj_c_prev; dJ/dpeep is added to adj_peep. h and c are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   before, in, forget,     reloaded   still in its variable
//   candidate, after, out
//   gates[..], peep[..]     reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_c_prev[..]   +=, one owner   one thread per element
//   adj_gates[..]    +=, one owner   one thread per element
//   adj_peep[..]     atomicAdd       threads that differ in blockIdx.y only read the
//                                    same peep[column]
//
// Of the template lstm_cell_kernel this is the instance with scalar_t = float.
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

static __device__ __forceinline__ float sigmoid(float z)
{
    return (float)1 / ((float)1 + exp(-z));
}

static __device__ float sigmoid_adj(float z, float adj_sigmoid)
{
    // 8:  return scalar_t(1) / (scalar_t(1) + std::exp(-z))
    return (float)1 / ((float)1 + exp(-z)) * exp(-z) * adj_sigmoid / ((float)1 + exp(-z));
}

extern "C" __global__ void lstm_cell_kernel_adj(const float *__restrict__ gates,
                                                float *__restrict__ adj_gates,
                                                const float *__restrict__ c_prev,
                                                float *__restrict__ adj_c_prev,
                                                const float *__restrict__ peep,
                                                float *__restrict__ adj_peep,
                                                float *__restrict__ h,
                                                const float *__restrict__ adj_h,
                                                float *__restrict__ c,
                                                const float *__restrict__ adj_c, int hidden)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int batch = blockIdx.y;
    if (column >= hidden)
        return;

    const int index = batch * hidden + column;
    const float before = c_prev[index];
    const float in = sigmoid(gates[batch * 4 * hidden + column] + peep[column] * before);
    const float forget = sigmoid(gates[batch * 4 * hidden + column + hidden]
                                 + peep[hidden + column] * before);
    const float candidate = tanh(gates[batch * 4 * hidden + column + 2 * hidden]);
    const float after = forget * before + in * candidate;
    const float out = sigmoid(gates[batch * 4 * hidden + column + 3 * hidden]
                              + peep[2 * hidden + column] * after);

    // 31:  h[index] = out * std::tanh(after)
    float g = adj_h[index];
    float r = tanh(after);
    float adj_after = out * (1.0f - r * r) * g;

    // 30:  c[index] = after
    adj_after += adj_c[index];

    // 29:  const auto out = sigmoid(gate[3 * hidden] + peep[2 * hidden + column] * after)
    float g_2 = sigmoid_adj(gates[batch * 4 * hidden + column + 3 * hidden]
                            + peep[2 * hidden + column] * after, r * g);
    adj_gates[batch * 4 * hidden + column + 3 * hidden] += g_2;
    atomicAdd(&adj_peep[2 * hidden + column], after * g_2);
    adj_after += peep[2 * hidden + column] * g_2;

    // 27:  const auto candidate = std::tanh(gate[2 * hidden])
    adj_gates[batch * 4 * hidden + column + 2 * hidden] += (1.0f - candidate * candidate) * in
        * adj_after;
    // 28:  const auto after = forget * before + in * candidate
    float adj_before = forget * adj_after;

    // 26:  const auto forget = sigmoid(gate[hidden] + peep[hidden + column] * before)
    float g_3 = sigmoid_adj(gates[batch * 4 * hidden + column + hidden]
                            + peep[hidden + column] * before, before * adj_after);
    adj_gates[batch * 4 * hidden + column + hidden] += g_3;
    atomicAdd(&adj_peep[hidden + column], before * g_3);
    adj_before += peep[hidden + column] * g_3;

    // 25:  const auto in = sigmoid(gate[0] + peep[column] * before)
    float g_4 = sigmoid_adj(gates[batch * 4 * hidden + column] + peep[column] * before,
                            candidate * adj_after);
    adj_gates[batch * 4 * hidden + column] += g_4;
    atomicAdd(&adj_peep[column], before * g_4);
    adj_before += peep[column] * g_4;

    // 24:  const auto before = c_prev[index]
    adj_c_prev[index] += adj_before;
}
