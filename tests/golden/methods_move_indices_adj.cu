// gather_adj: adjoint of gather (methods_move_indices.cu:19).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform methods_move_indices.cu --of y --wrt x
//
// Call with x as it was before gather. Seed adj_y with dJ/dy: it is left alone, because
// gather stores each element of y at most once. dJ/dx is added to adj_x. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   neighbouring threads share *p, *q, *r, *s and others
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Step {
    int by;
};
struct Cursor {
    int at;
};

extern "C" __global__ void gather_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y, Step step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    const int p_at = at;
    at += step.by;
    const int q_at = at;
    at -= 1;
    Cursor c = {at};
    const int r_at = c.at;
    c.at = c.at + 2;
    const int s_at = c.at;
    c.at = c.at + step.by;

    // 35:  y[i] = *p * *q + sinf(*r) * *s + *t * *t * at
    float g = adj_y[i];
    atomicAdd(&adj_x[p_at], x[q_at] * g);
    atomicAdd(&adj_x[q_at], x[p_at] * g);
    atomicAdd(&adj_x[r_at], x[s_at] * cosf(x[r_at]) * g);
    atomicAdd(&adj_x[s_at], sinf(x[r_at]) * g);
    atomicAdd(&adj_x[c.at + 1], 2.0f * x[c.at + 1] * at * g);
}
