// Adjoint of d_lstm. The steps are reversed in segments of SEGMENT steps: the gates of a segment are computed again,
// starting from the latest of at most KEPT snapshots, so that memory doesn't grow with `length`.
//   layers      within a segment one layer after the other, so that one layer's weights are in registers at a time
//   prediction  isn't needed on the way to a segment. Within it, thread t sums the powers of step t.
//   trace, kept in shared memory, but a thread uses only its own unit's numbers
#define UNITS 14
#define LAYERS 2
#define KEPT 16
#define SEGMENT 14  // at most UNITS: thread t sums the powers of a segment's step t

struct Step {
    double forget, ingate, outgate, change, cell, bent, hidden;  // bent: tanh(cell)
};

// The number of segments to go to the next snapshot, if `left` >= 2 segments are to be reversed and `free` >= 1
// snapshots are free. In r passes over each segment (free + r choose r) of them can be reversed (Griewank and Walther,
// "Revolve", 2000).
__device__ int stride(int left, int free)
{
    int r = 0;
    for (int reach = 1; reach < left; reach = reach * (free + r) / r)
        ++r;
    return 1 + (left * r - 1) / (free + r);  // left * r / (free + r), rounded up
}

__device__ double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

extern "C" __global__ void d_lstm_adj(const double *__restrict__ main,
                                      double *__restrict__ adj_main,
                                      const double *__restrict__ extra,
                                      double *__restrict__ adj_extra,
                                      const double *__restrict__ state,
                                      const double *__restrict__ sequence,
                                      double *__restrict__ loss,
                                      const double *__restrict__ adj_loss, int length)
{
    __shared__ Step trace[LAYERS][SEGMENT + 1][UNITS];  // [t + 1]: a segment's step t; [0]: the state before
    __shared__ double kept[KEPT][2 * LAYERS][UNITS];
    __shared__ double g_hidden[LAYERS][UNITS], g_cell[LAYERS][UNITS];
    __shared__ double row[SEGMENT][UNITS], ratio[SEGMENT];
    const int j = threadIdx.x;
    if (blockIdx.x > 0)
        return;  // all blocks add the same loss: the first one answers for all
    const double scale = -adj_loss[0] * gridDim.x / (UNITS * (length - 1));
    const double w_in = extra[j], w_out = extra[UNITS + j], bias = extra[2 * UNITS + j];
    double g_in = 0.0, g_out = 0.0, g_bias = 0.0;
    for (int l = 0; l < LAYERS; ++l) {
        trace[l][0][j].hidden = state[(2 * l) * UNITS + j];
        trace[l][0][j].cell = state[(2 * l + 1) * UNITS + j];
        g_hidden[l][j] = g_cell[l][j] = 0.0;
    }

    // kept[top] is the state before segment at[top]; `here` is the segment to compute, `stop` the next to be kept
    int at[KEPT], top = -1, here = 0, stop = 0;
    for (int segment = (length - 1 + SEGMENT - 1) / SEGMENT - 1; segment >= 0;) {
        if (here == stop) {
            at[++top] = here;
            for (int l = 0; l < LAYERS; ++l) {
                kept[top][2 * l][j] = trace[l][0][j].hidden;
                kept[top][2 * l + 1][j] = trace[l][0][j].cell;
            }
            if (here < segment)
                stop += stride(segment + 1 - here, KEPT - 1 - top);
        }

        const int first = here * SEGMENT, steps = min(SEGMENT, length - 1 - first);
        const double *input = sequence + first * UNITS + j;  // of step t: input[t * UNITS]
#pragma unroll 1
        for (int l = 0; l < LAYERS; ++l) {
            const double *w = main + 8 * l * UNITS + j;
            double hidden = trace[l][0][j].hidden, cell = trace[l][0][j].cell;
            for (int t = 0; t < steps; ++t) {
                const double x = l == 0 ? input[t * UNITS] * w_in : trace[l - 1][t + 1][j].hidden;
                Step s;
                s.forget = sigmoid(x * w[0] + w[UNITS]);
                s.ingate = sigmoid(hidden * w[2 * UNITS] + w[3 * UNITS]);
                s.outgate = sigmoid(x * w[4 * UNITS] + w[5 * UNITS]);
                s.change = tanh(hidden * w[6 * UNITS] + w[7 * UNITS]);
                s.cell = cell = cell * s.forget + s.ingate * s.change;
                s.bent = tanh(cell);
                s.hidden = hidden = s.outgate * s.bent;
                trace[l][t + 1][j] = s;
            }
        }
        if (here < segment) {
            for (int l = 0; l < LAYERS; ++l)
                trace[l][0][j] = trace[l][SEGMENT][j];
            ++here;
            continue;
        }

        // d(loss) / dy = scale * (next - (sum of next) * power / (2 + sum of powers)), next: the unit's next input
        for (int t = 0; t < steps; ++t)
            row[t][j] = exp(trace[LAYERS - 1][t + 1][j].hidden * w_out + bias);
        __syncthreads();
        if (j < steps) {
            double sum = 2.0, nexts = 0.0;
            for (int u = 0; u < UNITS; ++u) {
                sum += row[j][u];
                nexts += sequence[(first + j + 1) * UNITS + u];
            }
            ratio[j] = nexts / sum;
        }
        __syncthreads();
        for (int t = 0; t < steps; ++t) {
            const double g = scale * (input[(t + 1) * UNITS] - ratio[t] * row[t][j]);
            g_out += g * trace[LAYERS - 1][t + 1][j].hidden;
            g_bias += g;
            row[t][j] = g * w_out;
        }

        // row[t][j]: from here the gradient for a layer's output in step t, replaced by that for its input
#pragma unroll 1
        for (int l = LAYERS - 1; l >= 0; --l) {
            const double *w = main + 8 * l * UNITS + j;
            double gh = g_hidden[l][j], gc = g_cell[l][j];
            double by_x[2] = {}, by_hidden[2] = {}, biases[4] = {};
            for (int t = steps - 1; t >= 0; --t) {
                const Step s = trace[l][t + 1][j];
                const double hidden = trace[l][t][j].hidden, cell = trace[l][t][j].cell;
                const double x = l == 0 ? input[t * UNITS] * w_in : trace[l - 1][t + 1][j].hidden;
                gh += row[t][j];
                gc += gh * (s.outgate - s.hidden * s.bent);  // outgate (1 - bent^2)
                const double forget = gc * cell * s.forget * (1.0 - s.forget);
                const double ingate = gc * s.change * s.ingate * (1.0 - s.ingate);
                const double outgate = gh * s.hidden * (1.0 - s.outgate);  // bent outgate (1 - outgate)
                const double change = gc * s.ingate * (1.0 - s.change * s.change);
                by_x[0] += forget * x;
                by_x[1] += outgate * x;
                by_hidden[0] += ingate * hidden;
                by_hidden[1] += change * hidden;
                biases[0] += forget;
                biases[1] += ingate;
                biases[2] += outgate;
                biases[3] += change;
                row[t][j] = forget * w[0] + outgate * w[4 * UNITS];
                gh = ingate * w[2 * UNITS] + change * w[6 * UNITS];
                gc *= s.forget;
            }
            g_hidden[l][j] = gh;
            g_cell[l][j] = gc;
            double *adj_w = adj_main + 8 * l * UNITS + j;
            adj_w[0] += by_x[0];
            adj_w[UNITS] += biases[0];
            adj_w[2 * UNITS] += by_hidden[0];
            adj_w[3 * UNITS] += biases[1];
            adj_w[4 * UNITS] += by_x[1];
            adj_w[5 * UNITS] += biases[2];
            adj_w[6 * UNITS] += by_hidden[1];
            adj_w[7 * UNITS] += biases[3];
        }
        for (int t = 0; t < steps; ++t)
            g_in += row[t][j] * input[t * UNITS];

        if (--segment < 0)
            break;
        here = stop = at[--top];
        for (int l = 0; l < LAYERS; ++l) {
            trace[l][0][j].hidden = kept[top][2 * l][j];
            trace[l][0][j].cell = kept[top][2 * l + 1][j];
        }
        --top;  // kept once more at the start of the loop
    }
    adj_extra[j] += g_in;
    adj_extra[UNITS + j] += g_out;
    adj_extra[2 * UNITS + j] += g_bias;
}
