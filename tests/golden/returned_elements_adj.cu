// returned_elements_adj: adjoint of returned_elements (returned_elements.cu:18).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform returned_elements.cu --of y --wrt x
//
// Call with x as it was before returned_elements. Seed adj_y with dJ/dy: it is left
// alone, because returned_elements stores each element of y at most once. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]           reloaded               nothing stores to it
//   v_was           reloaded               still in its variable
//   clamped(v, i)   tape_v, a register     line 27 overwrites it
//   v[COLS]         tape_v_2, a register   line 29 overwrites it
//   v[..]           reloaded               no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   each thread has elements of its own
//   adj_rows[..]   +=, by phase    between two barriers one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define COLS 3

extern "C" __global__ void returned_elements_adj(const float *x, float *adj_x,
                                                 float *y, const float *adj_y, int n)
{
    __shared__ float rows[64 * COLS];
    __shared__ float adj_rows[64 * COLS];
    for (int q = threadIdx.x; q < 64 * COLS; q += blockDim.x)
        adj_rows[q] = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int c = 0; c < COLS; ++c)
        rows[(int)threadIdx.x * COLS + c] = x[i * COLS + c] * x[i * COLS];
    float v[COLS + 1] = {1.0f, rows[(int)threadIdx.x * COLS + 1], rows[(int)threadIdx.x * COLS + 2],
                         0.5f};
    float v_was = v[1];
    int i_2 = i;
    if (i_2 > COLS)
        i_2 = COLS;
    float tape_v = v[i_2];
    v[i_2] *= v_was;
    int i_3 = 2;
    if (i_3 > COLS)
        i_3 = COLS;
    float tape_v_2 = v[COLS];
    v[i_3] += sinf(v[COLS]);

    // ---- reverse sweep ------------------------------------------------------

    float adj_v[COLS + 1] = {};

    // 31:  at(y, i, 1) = v[0] * v[3]
    float g = adj_y[i * COLS + 1];
    adj_v[0] += v[3] * g;
    adj_v[3] += v[0] * g;

    // 30:  at(y, i, 0) = v[1] * v[2]
    float g_2 = adj_y[i * COLS];
    adj_v[1] += v[2] * g_2;
    adj_v[2] += v[1] * g_2;

    // 29:  last += sinf(v[COLS])
    adj_v[COLS] += cosf(tape_v_2) * adj_v[i_3];

    // 27:  clamped(v, i) *= v[1]
    float adj_v_was = tape_v * adj_v[i_2];
    adj_v[i_2] *= v_was;

    // 27:  v[1]
    adj_v[1] += adj_v_was;

    // 26:  float v[COLS + 1] = {1.0f, at(rows, threadIdx.x, 1), at(rows, threadIdx.x, 2), 0.5f}
    adj_rows[(int)threadIdx.x * COLS + 2] += adj_v[2];
    adj_rows[(int)threadIdx.x * COLS + 1] += adj_v[1];
    float adj_x_sum = 0.0f;
    for (int c = 0; c < COLS; ++c) {
        // 25:  at(rows, threadIdx.x, c) = at(x, i, c) * at(x, i, 0)
        float g = adj_rows[(int)threadIdx.x * COLS + c];
        adj_x[i * COLS + c] += x[i * COLS] * g;
        adj_x_sum += x[i * COLS + c] * g;
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        adj_x[i * COLS] += adj_x_sum;
}
