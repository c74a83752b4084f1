// names_taken_adj: adjoint of names_taken (names_taken.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform names_taken.cu --of y --wrt x,adj_x
//
// Call with x and adj_x as they were before names_taken. Seed adj2_y with dJ/dy: it is
// left alone, because names_taken stores each element of y at most once. dJ/dx is added
// to adj2_x; dJ/dadj_x is added to adj2_adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   g, tape_s, s (line 12),   reloaded                   still in its variable
//   g2
//   adj_x[..], x[..]          reloaded                   nothing stores to it
//   s (line 12)               tape_s_2[3], registers     line 14 or 16 changes it in
//                                                        each iteration
//   ds/dg                     tape_ds_dg[3], registers   partial of line 14, a load
//                                                        instead of 1 cosf
//   ds/ds                     tape_ds_ds[3], registers   partial of line 14, a load
//                                                        instead of 1 sinf
//   trips of line 15          tape_trips[3], registers   no address or count is rounded
//                                                        twice
//   s (line 15)               ds_ds0, carried forward    line 16 changes it in each
//                                                        iteration, and inputs are few
//
// How adjoints are added up:
//   adj2_x[..]       +=, one owner   one thread per element
//   adj2_adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void names_taken_adj(const float *x, float *adj2_x,
                                           const float *adj_x, float *adj2_adj_x,
                                           float *y, const float *adj2_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float g = x[i] * adj_x[i];
    float tape_s = g * g;
    float s = tape_s;
    int trips = 0;
    int tape_trips[3];
    float tape_ds_dg[3];
    float tape_ds_ds[3];
    float tape_s_2[3];
    for (int thread = 0; thread < 3; ++thread) {
        tape_s_2[thread] = s;
        float g = s * x[i];
        float sine;
        float cosine;
        sincosf(g, &sine, &cosine);
        tape_ds_dg[thread] = s * cosine;
        tape_ds_ds[thread] = sine;
        s = sine * s + tape_s;
        int trips_2 = 0;
        while (s > 1.0f) {
            s = 0.5f * s + 0.2f * sinf(s);
            ++trips;
            ++trips_2;
        }
        tape_trips[thread] = trips_2;
    }
    float g2 = s * trips + g;

    // ---- reverse sweep ------------------------------------------------------

    // 21:  y[i] = g2 * s
    float g_2 = adj2_y[i];
    float adj2_g2 = s * g_2;
    float adj2_s = g2 * g_2;

    // 20:  float g2 = s * trips + g
    adj2_s += trips * adj2_g2;
    float adj2_g = adj2_g2;
    float adj2_tape_s = 0.0f;
    float adj2_x_sum = 0.0f;
    for (int thread = 2; thread >= 0; --thread) {
        float s = tape_s_2[thread];
        float g = s * x[i];
        float s_2 = sinf(g) * s + tape_s;
        float ds_ds0 = 1.0f;
        int trips = tape_trips[thread];
        for (int trip = 0; trip < trips; ++trip) {
            float sine;
            float cosine;
            sincosf(s_2, &sine, &cosine);
            ds_ds0 *= 0.5f + 0.2f * cosine;
            s_2 = 0.5f * s_2 + 0.2f * sine;
        }

        // 15:  while (s > 1.0f)
        // its tangents, carried along, are what it owes
        adj2_s *= ds_ds0;

        // 14:  s = sinf(g) * s + tape_s
        float adj2_g = tape_ds_dg[thread] * adj2_s;
        adj2_tape_s += adj2_s;
        adj2_s *= tape_ds_ds[thread];

        // 13:  float g = s * x[i]
        adj2_s += x[i] * adj2_g;
        adj2_x_sum += s * adj2_g;
    }
    // what the iterations owe, added once
    if (adj2_x_sum != 0.0f)
        adj2_x[i] += adj2_x_sum;

    // 10:  float s = tape_s
    adj2_tape_s += adj2_s;
    // 9:  float tape_s = g * g
    adj2_g += 2.0f * g * adj2_tape_s;

    // 8:  float g = x[i] * adj_x[i]
    adj2_x[i] += adj_x[i] * adj2_g;
    adj2_adj_x[i] += x[i] * adj2_g;
}
