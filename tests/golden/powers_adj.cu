// powers_adj: adjoint of powers (powers.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform powers.cu --of y --wrt x,e
//
// Call with x and e as they were before powers. Seed adj_y with dJ/dy: it is left
// alone, because powers stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/de is added to adj_e. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a, b           reloaded   still in its variable
//   x[..], e[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_e[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   powf: where its partial is infinite a zero adjoint contributes zero
//   powf: where the base isn't positive, the exponent takes nothing
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void powers_adj(const float *x, float *adj_x,
                                      const float *e, float *adj_e,
                                      float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = powf(x[i], 2.0f) + powf(x[i], 3.0f) - powf(x[i], -1.5f);
    float b = powf(x[i], e[i]);

    // 11:  y[i] = a * b - c
    float g = adj_y[i];
    float adj_b = a * g;

    // 10:  float c = powf(2.0f, e[i]) + exp2f(e[i]) + exp10f(0.1f * e[i])
    adj_e[i] -= (powf(2.0f, e[i]) * logf(2.0f) + 0.6931471805599453f * exp2f(e[i])
                 + 2.302585092994046f * 0.1f * exp10f(0.1f * e[i])) * g;
    // 9:  float b = powf(x[i], e[i])
    if (adj_b != 0.0f && e[i] != 0.0f)
        adj_x[i] += e[i] * powf(x[i], e[i] - 1.0f) * adj_b;

    // 8:  float a = powf(x[i], 2.0f) + powf(x[i], 3.0f) - powf(x[i], -1.5f)
    adj_x[i] += (2.0f * x[i] + 3.0f * x[i] * x[i] + 1.5f * powf(x[i], -2.5f)) * b * g;
    if (x[i] > 0.0f)
        adj_e[i] += b * logf(x[i]) * adj_b;
}
