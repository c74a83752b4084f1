// drawn_in_an_expression_adj: adjoint of drawn_in_an_expression (drawn_in_an_expression.cu:18).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform drawn_in_an_expression.cu --of y --wrt x
//
// Call with x as it was before drawn_in_an_expression. Seed adj_y with dJ/dy: it is
// left alone, because drawn_in_an_expression stores each element of y at most once.
// dJ/dx is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   r.s (line 7)           tape_r_s_2, a register   line 7 overwrites it
//   sum (line 26)          tape_sum[5], registers   line 27 changes it in each
//                                                   iteration
//   r.s (line 26)          tape_r_s[5], registers   line 7 changes it in each iteration
//   v (line 26)            tape_v[5], registers     line 14 changes it in each
//                                                   iteration
//   k                      inverted                 each iteration adds 1
//   trips of line 26       trips, a register        the loop decides in its iterations
//                                                   when it ends
//   sum (line 26)          reloaded                 still in its variable
//   both, r.s (line 26),   recomputed               from values at hand, in the
//                                                   reversed iteration
//   v (line 14),
//   damped_value,
//   r.s (line 7)
//   x[..]                  reloaded                 nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Rng {
    unsigned s;
};

extern "C" __global__ void drawn_in_an_expression_adj(const float *x, float *adj_x,
                                                      float *y, const float *adj_y,
                                                      unsigned int seed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    Rng r = {seed + i};
    float v = x[i];
    r.s = r.s * 1664525u + 1013904223u;
    unsigned int tape_r_s_2 = r.s;
    float sum = (r.s >> 8) * (1.0f / 16777216.0f) * x[i];
    int trips = 0;
    unsigned int tape_r_s[5];
    float tape_v[5];
    float tape_sum[5];
    for (int k = 0;; ++k) {
        tape_r_s[trips] = r.s;
        tape_v[trips] = v;
        tape_sum[trips] = sum;
        ++trips;
        bool both = k < 4;
        if (both) {
            r.s = r.s * 1664525u + 1013904223u;
            both = (r.s >> 8) * (1.0f / 16777216.0f) < 0.9f;
        }
        if (!both)
            break;
        v *= 0.5f;
        r.s = r.s * 1664525u + 1013904223u;
        sum += x[i] * v * v + sinf((r.s >> 8) * (1.0f / 16777216.0f) * sum);
    }

    // ---- reverse sweep ------------------------------------------------------

    // 28:  y[i] = sum > 0.0f ? sum * r.next() : v
    float adj_chosen = adj_y[i];
    float adj_v = 0.0f;
    float adj_sum = 0.0f;
    if (sum > 0.0f) {
        // 28:  sum * r.next()
        adj_sum = ((r.s * 1664525u + 1013904223u) >> 8) * (1.0f / 16777216.0f) * adj_chosen;
    } else {
        // 28:  v
        adj_v = adj_chosen;
    }
    for (int trip = trips - 1; trip >= 0; --trip) {
        unsigned int r_s = tape_r_s[trip];
        float v = tape_v[trip];
        float sum = tape_sum[trip];
        bool both = trip < 4;
        if (both) {
            r_s = r_s * 1664525u + 1013904223u;
            both = (r_s >> 8) * (1.0f / 16777216.0f) < 0.9f;
        }
        if (both) {
            float v_2 = v * 0.5f;
            unsigned int r_s_2 = r_s * 1664525u + 1013904223u;

            // 27:  sum += x[i] * damped(v) + sinf(r.next() * sum)
            adj_x[i] += v_2 * v_2 * adj_sum;
            float adj_damped_value = x[i] * adj_sum;
            adj_sum += cosf((r_s_2 >> 8) * (1.0f / 16777216.0f) * sum)
                       * ((r_s_2 >> 8) * (1.0f / 16777216.0f)) * adj_sum;

            // 27:  damped(v)
            adj_v += 2.0f * v_2 * adj_damped_value;
            // 14:  v *= 0.5f
            adj_v *= 0.5f;
        }
    }

    // 24:  float v = x[i]
    adj_x[i] += adj_v;
    // 25:  float sum = r.next() * x[i]
    adj_x[i] += (tape_r_s_2 >> 8) * (1.0f / 16777216.0f) * adj_sum;
}
