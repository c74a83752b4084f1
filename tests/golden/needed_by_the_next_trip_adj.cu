// needed_by_the_next_trip_adj: adjoint of needed_by_the_next_trip (needed_by_the_next_trip.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform needed_by_the_next_trip.cu --of y --wrt x
//
// Call with x as it was before needed_by_the_next_trip. adj_y comes in as dJ/dy after
// needed_by_the_next_trip and goes out as dJ/dy before it, element by element. dJ/dx is
// added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 10)                tape_v[6], registers   line 13 changes it in each
//                                                     iteration
//   u                          tape_u[6], registers   line 14 changes it in each
//                                                     iteration
//   w (line 10)                tape_w[6], registers   line 11 changes it in each
//                                                     iteration
//   w (line 11), v (line 13)   recomputed             from values at hand, in the
//                                                     reversed iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void needed_by_the_next_trip_adj(const double *x, double *adj_x,
                                                       double *y, double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double u = x[i];
    double v = 1.0;
    double w = 0.5;
    double tape_w[6];
    double tape_v[6];
    double tape_u[6];
    for (int k = 0; k < 6; ++k) {
        tape_w[k] = w;
        tape_v[k] = v;
        tape_u[k] = u;
        w = w + u;
        v = u * w;
        u = cos(v) * 0.5;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 16:  y[i] += u
    double adj_u = adj_y[i];
    double adj_w = 0.0;
    double adj_v = 0.0;
    for (int k = 5; k >= 0; --k) {
        double w = tape_w[k];
        double v = tape_v[k];
        double u = tape_u[k];
        double v_2;
        w = w + u;
        v_2 = u * w;

        // 14:  u = cos(v) * 0.5
        adj_v -= 0.5 * sin(v_2) * adj_u;

        // 13:  v = u * w
        adj_u = w * adj_v;
        adj_w += u * adj_v;

        // 12:  y[i] += v * sin(w)
        double g = adj_y[i];
        double sine;
        double cosine;
        sincos(w, &sine, &cosine);
        adj_v = sine * g;
        adj_w += v * cosine * g;

        // 11:  w = w + u
        adj_u += adj_w;
    }

    // 9:  double u = x[i]
    adj_x[i] += adj_u;
}
