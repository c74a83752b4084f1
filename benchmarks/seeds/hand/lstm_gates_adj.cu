// Adjoint of lstm_gates.  of h, c, wrt gates, bias, c_before.
//   gates          computed again; the partials are s (1 - s) and 1 - t^2
//   adj_gates, adj_c_before   one thread per element: +=
//   adj_bias       rows of the batch are different blocks: an atomic per gate; a warp's are 32 neighbours
__device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

extern "C" __global__ void lstm_gates_adj(const float *__restrict__ gates, float *__restrict__ adj_gates,
                                          const float *__restrict__ bias, float *__restrict__ adj_bias,
                                          const float *__restrict__ c_before, float *__restrict__ adj_c_before,
                                          float *__restrict__ h, const float *__restrict__ adj_h,
                                          float *__restrict__ c, const float *__restrict__ adj_c, int batch,
                                          int hidden)
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
    const float before = c_before[b * hidden + u];
    const float tanh_next = tanhf(forget * before + input * change);

    const float g_h = adj_h[b * hidden + u];
    const float g_next = adj_c[b * hidden + u] + g_h * output * (1.0f - tanh_next * tanh_next);
    const float g_input = g_next * change * input * (1.0f - input);
    const float g_forget = g_next * before * forget * (1.0f - forget);
    const float g_change = g_next * input * (1.0f - change * change);
    const float g_output = g_h * tanh_next * output * (1.0f - output);

    adj_c_before[b * hidden + u] += g_next * forget;
    float *adj_row = adj_gates + b * 4 * hidden;
    adj_row[u] += g_input;
    adj_row[hidden + u] += g_forget;
    adj_row[2 * hidden + u] += g_change;
    adj_row[3 * hidden + u] += g_output;
    atomicAdd(&adj_bias[u], g_input);
    atomicAdd(&adj_bias[hidden + u], g_forget);
    atomicAdd(&adj_bias[2 * hidden + u], g_change);
    atomicAdd(&adj_bias[3 * hidden + u], g_output);
}
