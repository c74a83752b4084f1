// local_structs_adj: adjoint of local_structs (local_structs.cu:14).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform local_structs.cu --of y --wrt x
//
// Call with x as it was before local_structs. Seed adj_y with dJ/dy: it is left alone,
// because local_structs stores each element of y at most once. dJ/dx is added to adj_x.
// y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   t.low, t.high      recomputed                        from values at hand, in the
//                                                        reversed iteration
//   terms[k].weight    tape_terms_weight[3], registers   line 27 overwrites it
//   terms[..].value,   reloaded                          no later store goes to it
//   terms[..].weight
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   neighbouring threads share x[i] and x[(i + 1) % n]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Term {
    float weight;
    float value[2];
};

extern "C" __global__ void local_structs_adj(const float *x, float *adj_x,
                                             float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    Term terms[3];
    terms[0].weight = 0.5f;
    terms[1].weight = 0.5f;
    terms[2].weight = 0.5f;
    terms[0].value[0] = 0.0f;
    terms[0].value[1] = 0.0f;
    terms[1].value[0] = 0.0f;
    terms[1].value[1] = 0.0f;
    terms[2].value[0] = 0.0f;
    terms[2].value[1] = 0.0f;
    float tape_terms_weight[3];
    for (int k = 0; k < 3; k++) {
        terms[k].value[0] = x[i] * (k + 1);
        float t_low = x[i];
        float t_high = x[(i + 1) % n];
        terms[k].value[1] = (t_high - t_low) * t_high * t_low;
        tape_terms_weight[k] = terms[k].weight;
        terms[k].weight *= terms[k].value[0];
    }

    // ---- reverse sweep ------------------------------------------------------

    Term adj_terms[3] = {};

    // 29:  y[i] = terms[n % 3].weight * terms[2].value[1] + terms[1].weight * terms[n % 2].value[0]
    float g = adj_y[i];
    adj_terms[n % 3].weight += terms[2].value[1] * g;
    adj_terms[2].value[1] += terms[n % 3].weight * g;
    adj_terms[1].weight += terms[n % 2].value[0] * g;
    adj_terms[n % 2].value[0] += terms[1].weight * g;
    float adj_x_sum = 0.0f;
    float adj_x_sum_2 = 0.0f;
    for (int k = 2; k >= 0; --k) {
        float t_low = x[i];
        float t_high = x[(i + 1) % n];

        // 27:  terms[k].weight *= terms[k].value[0]
        adj_terms[k].value[0] += tape_terms_weight[k] * adj_terms[k].weight;
        adj_terms[k].weight *= terms[k].value[0];

        // 26:  terms[k].value[1] = spread(x, i, n)
        float g = adj_terms[k].value[1];
        float g_2 = t_low * g;
        float g_3 = t_high * g_2;

        // 10:  Two t = {x[i], x[(i + 1) % n]}
        adj_x_sum += g_3 + (t_high - t_low) * g_2;
        adj_x_sum_2 += (t_high - t_low) * t_high * g - g_3;

        // 25:  terms[k].value[0] = x[i] * (k + 1)
        adj_x_sum_2 += (k + 1) * adj_terms[k].value[0];
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        atomicAdd(&adj_x[(i + 1) % n], adj_x_sum);
    if (adj_x_sum_2 != 0.0f)
        atomicAdd(&adj_x[i], adj_x_sum_2);
}
