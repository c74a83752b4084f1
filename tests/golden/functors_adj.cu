// folds_adj: adjoint of folds (functors.cu:28).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform functors.cu --of y --wrt x,damping
//
// Call with x and damping as they were before folds. Seed adj_y with dJ/dy: it is left
// alone, because folds stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/ddamping is added to adj_damping. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum, op.by, damped, one   reloaded               still in its variable
//   r                         tape_r[2], registers   line 18 changes it in each
//                                                    iteration
//   b                         recomputed             from values at hand, in the
//                                                    reversed iteration
//
// How adjoints are added up:
//   adj_x[..]         +=, one owner   each thread has elements of its own
//   adj_damping[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Damped {
    float by;
};

static __device__ void thrice_Plus_adj(float a, float *adj_a,
                                       float b, float *adj_b,
                                       float c, float *adj_c, float adj_thrice_Plus)
{
    // 25:  return Op<T>()(Op<T>()(a, b), c)
    *adj_a += adj_thrice_Plus;
    *adj_b += adj_thrice_Plus;
    *adj_c += adj_thrice_Plus;
}

extern "C" __global__ void folds_adj(const float *x, float *adj_x,
                                     const float *damping, float *adj_damping,
                                     float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int v_at = 3 * i;
    float r = x[v_at];
    for (int k = 1; k < 3; ++k)
        r = r + x[v_at + k];
    float sum = r;
    int v_at2 = 3 * i;
    Damped op = {damping[i]};
    float r_2 = x[v_at2];
    float tape_r[2];
    for (int k = 1; k < 3; ++k) {
        tape_r[k - 1] = r_2;
        float b = x[v_at2 + k];
        r_2 = r_2 * op.by + b * b;
    }
    float damped = r_2;
    float one = 1.0f;

    // ---- reverse sweep ------------------------------------------------------

    // 37:  y[i] = plus(sum, damped) * Plus<float>()(sum, one) + thrice<Plus>(sum, damped, sum *
    //      one)
    float g = adj_y[i];
    float g_2 = (sum + one) * g;
    float adj_sum = g_2 + (sum + damped) * g;
    float adj_damped = g_2;
    float adj_c = 0.0f;
    thrice_Plus_adj(sum, &adj_sum, damped, &adj_damped, sum * one, &adj_c, g);
    adj_sum += one * adj_c;

    // 35:  float damped = fold(x + 3 * i, 3, Damped(damping[i]))
    float adj_r_2 = adj_damped;
    Damped adj_op = {};
    for (int k = 2; k >= 1; --k) {
        float r = tape_r[k - 1];
        float b = x[v_at2 + k];

        // 18:  r = op(r, v[k])
        adj_op.by += r * adj_r_2;
        float adj_b = 2.0f * b * adj_r_2;
        adj_r_2 *= op.by;

        // 18:  v[k]
        adj_x[v_at2 + k] += adj_b;
    }

    // 35:  Damped(damping[i])
    adj_damping[i] += adj_op.by;
    // 16:  float r = v[0]
    adj_x[v_at2] += adj_r_2;

    // 34:  float sum = fold(x + 3 * i, 3, plus)
    for (int k = 2; k >= 1; --k) {
        // 18:  r = op(r, v[k])
        adj_x[v_at + k] += adj_sum;
    }

    // 16:  float r = v[0]
    adj_x[v_at] += adj_sum;
}
