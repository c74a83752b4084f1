// array_is_not_killed_adj: adjoint of array_is_not_killed (array_is_not_killed.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform array_is_not_killed.cu --of y --wrt x
//
// Call with x, at and w as they were before array_is_not_killed. adj_y comes in as
// dJ/dy after array_is_not_killed and goes out as dJ/dy before it, element by element.
// adj_w must come in zero; its content afterwards is unspecified. dJ/dx is added to
// adj_x. y is neither read nor written. The content of w afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], at[..]   reloaded               nothing stores to it
//   a[1]            tape_a, a register     line 12 overwrites it
//   a[0]            tape_a_2, a register   line 12 overwrites it
//   a[..], w[..]    reloaded               no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_w[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void array_is_not_killed_adj(const double *x, double *adj_x, const int *at,
                                                   double *y, double *adj_y,
                                                   double *w, double *adj_w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[3] = {x[i], x[i] * x[i], 1.0};
    a[at[i]] = 0.5;
    double tape_a = a[1];
    double tape_a_2 = a[0];
    a[(at[i] + 1) % 3] = 2.0 * a[0];
    w[2 * i] = a[0] + a[2];
    w[2 * i + 1] = sin(a[1]);
    w[2 * i] = 3.0;
    double adj_a[3] = {};

    // 16:  y[i] += w[2 * i + 1] * w[2 * i] * a[2]
    double g = adj_y[i];
    double g_2 = a[2] * g;
    adj_w[2 * i + 1] += w[2 * i] * g_2;
    adj_w[2 * i] += w[2 * i + 1] * g_2;
    adj_a[2] += w[2 * i + 1] * w[2 * i] * g;

    // 15:  w[2 * i] = 3.0
    adj_w[2 * i] = 0.0;

    // 14:  w[2 * i + 1] = sin(a[1])
    adj_a[1] += cos(a[1]) * adj_w[2 * i + 1];
    adj_w[2 * i + 1] = 0.0;

    // 13:  w[2 * i] = a[0] + a[2]
    double g_3 = adj_w[2 * i];
    adj_a[0] += g_3;
    adj_a[2] += g_3;
    adj_w[2 * i] = 0.0;

    // 12:  a[(at[i] + 1) % 3] = 2.0 * a[0]
    double g_4 = adj_a[(at[i] + 1) % 3];
    adj_a[(at[i] + 1) % 3] = 0.0;
    adj_a[0] += 2.0 * g_4;

    // 11:  y[i] = a[0] * a[1]
    double g_5 = adj_y[i];
    adj_a[0] += tape_a * g_5;
    adj_a[1] += tape_a_2 * g_5;
    adj_y[i] = 0.0;

    // 10:  a[at[i]] = 0.5
    adj_a[at[i]] = 0.0;
    // 9:  double a[3] = {x[i], x[i] * x[i], 1.0}
    adj_x[i] += 2.0 * x[i] * adj_a[1] + adj_a[0];
}
