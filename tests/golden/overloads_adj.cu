// overloads_adj: adjoint of overloads (overloads.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform overloads.cu --of y --wrt x
//
// Call with x and e as they were before overloads. Seed adj_y with dJ/dy: it is left
// alone, because overloads stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, p, a   reloaded   still in its variable
//   e[..]     reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   pow: where its partial is infinite a zero adjoint contributes zero
//   abs: at 0 its derivative is 0
//   sqrt: where its partial is infinite a zero adjoint contributes zero
//   max: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void overloads_adj(const float *x, float *adj_x, const int *e,
                                         float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    double p = pow((double)v, (double)3) + pow((double)v, (double)e[i]) * 0.1;
    float a = sin(v) + exp(-v) * abs(v - 1.0f) + sqrt(v) + max(v, 1.0f);

    // 11:  y[i] = a * p + max(e[i], 2) + abs(e[i] - 3) * v
    float g = adj_y[i];
    float adj_a = p * g;
    double adj_p = (double)a * g;
    float adj_v = abs(e[i] - 3) * g;

    // 10:  float a = sin(v) + exp(-v) * abs(v - 1.0f) + sqrt(v) + max(v, 1.0f)
    adj_v += (cos(v) + exp(-v) * (v - 1.0f > 0.0f ? 1.0f : v - 1.0f < 0.0f ? -1.0f : 0.0f)
              - abs(v - 1.0f) * exp(-v)) * adj_a;
    if (adj_a != 0.0f)
        adj_v += 0.5f * adj_a * rsqrtf(v);
    if (v >= 1.0f)
        adj_v += adj_a;

    // 9:  double p = pow(v, 3) + pow(v, e[i]) * 0.1
    adj_v += 3.0 * pow((double)v, 2.0) * adj_p;
    double g_2 = 0.1 * adj_p;
    if (g_2 != 0.0 && e[i] != 0.0)
        adj_v += e[i] * pow((double)v, e[i] - 1.0) * g_2;

    // 8:  float v = x[i]
    adj_x[i] += adj_v;
}
