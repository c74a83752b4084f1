// first_crossing_adj: adjoint of first_crossing (first_crossing.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform first_crossing.cu --of when --wrt signal,level
//
// Call with signal and level as they were before first_crossing. Seed adj_when with
// dJ/dwhen: it is left alone, because first_crossing stores each element of when at
// most once. dJ/dsignal is added to adj_signal; dJ/dlevel is added to adj_level. when
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   trips of line 9   trips, a register   the loop decides in its iterations when it
//                                         ends
//   before, after     recomputed          from values at hand, in the reversed
//                                         iteration
//   level[..]         reloaded            nothing stores to it
//
// How adjoints are added up:
//   adj_signal[..]   +=, one owner   each thread has elements of its own
//   adj_level[..]    +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

extern "C" __global__ void first_crossing_adj(const float *signal, float *adj_signal,
                                              const float *level, float *adj_level,
                                              float *when, const float *adj_when, int rows,
                                              int length)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    int trips = 0;
    int left_by = 0;
    for (int t = 1; t < length; ++t) {
        ++trips;
        float before = signal[r * length + t - 1];
        float after = signal[r * length + t];
        if (before < level[r] && after >= level[r]) {
            left_by = 1;
            break;
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  when[r] = found
    float adj_found = adj_when[r];
    for (int t = trips; t >= 1; --t) {
        float before = signal[r * length + t - 1];
        float after = signal[r * length + t];
        float adj_after = 0.0f;
        float adj_before = 0.0f;
        if (t - 1 == trips - 1 && left_by == 1) {
            // 13:  found = t - 1 + (level[r] - before) / (after - before)
            float g = adj_found / (after - before);
            adj_level[r] += g;
            adj_before = -g;
            float g_2 = -((level[r] - before) / (after - before) * g);
            adj_after = g_2;
            adj_before -= g_2;
            adj_found = 0.0f;
        }

        // 11:  float after = signal[r * length + t]
        adj_signal[r * length + t] += adj_after;
        // 10:  float before = signal[r * length + t - 1]
        adj_signal[r * length + t - 1] += adj_before;
    }
}
