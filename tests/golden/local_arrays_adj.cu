// local_arrays_adj: adjoint of local_arrays (local_arrays.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform local_arrays.cu --of y --wrt x
//
// Call with x and slot as they were before local_arrays. Seed adj_y with dJ/dy: it is
// left alone, because local_arrays stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], slot[..]        reloaded               nothing stores to it
//   a[1]                   tape_a, a register     line 13 overwrites it
//   a[0]                   tape_a_2, a register   line 13 overwrites it
//   a[slot[i]]             tape_a_3, a register   line 14 overwrites it
//   a[(slot[i] + 1) % M]   tape_a_4, a register   line 14 overwrites it
//   c[..], a[..], b[..]    reloaded               no later store goes to it
//   b[0][1]                tape_b, a register     line 15 overwrites it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define M 4

extern "C" __global__ void local_arrays_adj(const double *x, double *adj_x, const int *slot,
                                            double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[M] = {x[i], 2.0 * x[i]};
    double b[2][3] = {1.0, x[i], 0.5, x[i] * x[i]};
    const double c[4] = {0.25, -0.5, 0.75, 1.0};
    double tape_a = a[1];
    double tape_a_2 = a[0];
    a[slot[i]] = a[0] * a[1];
    double tape_a_3 = a[slot[i]];
    double tape_a_4 = a[(slot[i] + 1) % M];
    a[(slot[i] + 1) % M] *= a[slot[i]] + c[slot[i]];
    double tape_b = b[0][1];
    b[1][2] = b[0][1] * a[3];
    b[slot[i] % 2][1] += b[1][2] * b[1][0];

    // 23:  y[i] = s
    double adj_s = adj_y[i];
    double adj_a[M] = {};
    for (int k = 0; k < M; ++k) {
        // 22:  s += sin(a[k]) * c[k]
        adj_a[k] += c[k] * cos(a[k]) * adj_s;
    }
    double adj_b[2][3] = {};
    for (int r = 0; r < 2; ++r)
        for (int k = 0; k < 3; ++k) {
            // 20:  s += b[r][k] * b[r][k] * c[r + k]
            adj_b[r][k] += 2.0 * b[r][k] * c[r + k] * adj_s;
        }

    // 16:  b[slot[i] % 2][1] += b[1][2] * b[1][0]
    double g = adj_b[slot[i] % 2][1];
    adj_b[1][2] += b[1][0] * g;
    adj_b[1][0] += b[1][2] * g;

    // 15:  b[1][2] = b[0][1] * a[3]
    double g_2 = adj_b[1][2];
    adj_b[0][1] += a[3] * g_2;
    adj_a[3] += tape_b * g_2;

    // 11:  double b[2][3] = {{1.0, x[i], 0.5}, {x[i] * x[i]}}
    adj_x[i] += 2.0 * x[i] * adj_b[1][0] + adj_b[0][1];

    // 14:  a[(slot[i] + 1) % M] *= a[slot[i]] + c[slot[i]]
    double g_3 = adj_a[(slot[i] + 1) % M];
    adj_a[(slot[i] + 1) % M] = (tape_a_3 + c[slot[i]]) * g_3;
    adj_a[slot[i]] += tape_a_4 * g_3;

    // 13:  a[slot[i]] = a[0] * a[1]
    double g_4 = adj_a[slot[i]];
    adj_a[slot[i]] = 0.0;
    adj_a[0] += tape_a * g_4;
    adj_a[1] += tape_a_2 * g_4;

    // 10:  double a[M] = {x[i], 2.0 * x[i]}
    adj_x[i] += 2.0 * adj_a[1] + adj_a[0];
}
