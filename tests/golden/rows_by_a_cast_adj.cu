// rows_by_a_cast_adj: adjoint of rows_by_a_cast (rows_by_a_cast.cu:11).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rows_by_a_cast.cu --of y --wrt x
//
// Call with x as it was before rows_by_a_cast. Seed adj_y with dJ/dy: it is left alone,
// because rows_by_a_cast stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s, trace_value   reloaded   still in its variable
//   x[..]            reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define N 3

extern "C" __global__ void rows_by_a_cast_adj(const float *x, float *adj_x,
                                              float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float s = 0.0f;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < N; ++b)
            s += x[12 * i + (a * N + b)] * x[12 * i + ((3 - a) * N + b)];

    // ---- reverse sweep ------------------------------------------------------

    // 23:  out[i][1] = s * trace(x + 12 * i) + ((const float (*)[N])x)[4 * i + 1][2]
    float g = adj_y[i * 2 + 1];
    float adj_s = (x[12 * i] + x[12 * i + 3]) * g;
    float adj_trace_value = s * g;
    adj_x[(4 * i + 1) * N + 2] += g;

    // 23:  trace(x + 12 * i)
    adj_x[12 * i] += adj_trace_value;
    adj_x[12 * i + 3] += adj_trace_value;

    // 22:  out[i][0] = s
    adj_s += adj_y[i * 2];
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < N; ++b) {
            // 20:  s += (*m)[a][b] * m[0][3 - a][b]
            adj_x[12 * i + (a * N + b)] += x[12 * i + ((3 - a) * N + b)] * adj_s;
            adj_x[12 * i + ((3 - a) * N + b)] += x[12 * i + (a * N + b)] * adj_s;
        }
}
