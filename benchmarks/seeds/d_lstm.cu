// ADBench's LSTM with diagonal weights: the negative log-likelihood of a sequence of characters. A block of
// UNITS threads; a thread is one unit of all layers. Only the normalisation of the prediction crosses threads.
// After F. Srajer et al., "A benchmark of selected algorithmic differentiation tools" (2018).
#define UNITS 14
#define LAYERS 2

__device__ double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

// main: for each layer weight and bias of the forget, ingate, outgate and change gates; extra: the weights of
// the input and of the prediction, and the prediction's bias; all of UNITS numbers.
// s2sad: --of loss --wrt main,extra --assume launch:1d
extern "C" __global__ void d_lstm(const double *__restrict__ main, const double *__restrict__ extra,
                                  const double *__restrict__ state, const double *__restrict__ sequence,
                                  double *__restrict__ loss, int length)
{
    __shared__ double powers[UNITS];
    const int j = threadIdx.x;
    double hidden[LAYERS], cell[LAYERS];
    for (int l = 0; l < LAYERS; ++l) {
        hidden[l] = state[(2 * l) * UNITS + j];
        cell[l] = state[(2 * l + 1) * UNITS + j];
    }
    double total = 0.0;
    for (int t = 0; t < length - 1; ++t) {
        double x = sequence[t * UNITS + j] * extra[j];
        for (int l = 0; l < LAYERS; ++l) {
            const double *w = main + 8 * l * UNITS + j;
            const double forget = sigmoid(x * w[0] + w[UNITS]);
            const double ingate = sigmoid(hidden[l] * w[2 * UNITS] + w[3 * UNITS]);
            const double outgate = sigmoid(x * w[4 * UNITS] + w[5 * UNITS]);
            const double change = tanh(hidden[l] * w[6 * UNITS] + w[7 * UNITS]);
            cell[l] = cell[l] * forget + ingate * change;
            hidden[l] = outgate * tanh(cell[l]);
            x = hidden[l];
        }
        const double y = x * extra[UNITS + j] + extra[2 * UNITS + j];
        powers[j] = exp(y);
        __syncthreads();
        double sum = 2.0;
        for (int u = 0; u < UNITS; ++u)
            sum += powers[u];
        total += sequence[(t + 1) * UNITS + j] * (y - log(sum));
        __syncthreads();
    }
    atomicAdd(loss, -total / (UNITS * (length - 1)));
}
