// shadowing_adj: adjoint of shadowing (shadowing.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shadowing.cu --of y --wrt x
//
// Call with x as it was before shadowing. adj_y comes in as dJ/dy after shadowing and
// goes out as dJ/dy before it, element by element. dJ/dx is added to adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v (line 10)   tape_v_2, a register       line 11 overwrites it
//   v (line 11)   reloaded                   still in its variable
//   v (line 14)   tape_v[3], registers       line 20 changes it in each iteration
//   x             recomputed                 from values at hand, in the reversed
//                                            iteration
//   dv/dx         tape_dv_dx[3], registers   partial of line 20, a load instead of 1
//                                            sin
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void shadowing_adj(const double *x, double *adj_x,
                                         double *y, double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = x[i];
    double v_2 = 2.0 * x[i];
    double tape_v_2 = v_2;
    v_2 = v_2 * v_2;
    double tape_dv_dx[3];
    double tape_v[3];
    for (int i = 0; i < 3; ++i) {
        tape_v[i] = v;
        double x = v * (i + 1);
        double sine;
        double cosine;
        sincos(x, &sine, &cosine);
        tape_dv_dx[i] = -sine;
        v = cosine;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 22:  y[i] += v
    double adj_v = adj_y[i];
    for (int i_2 = 2; i_2 >= 0; --i_2) {
        double v = tape_v[i_2];
        double x = v * (i_2 + 1);

        // 20:  v = cos(x)
        double adj_x = tape_dv_dx[i_2] * adj_v;
        if (x > 0.5) {
            // 17:  double v = x * x
            adj_x += 2.0 * x * adj_y[blockIdx.x * blockDim.x + threadIdx.x];
        }

        // 15:  double x = v * (i + 1)
        adj_v = (i_2 + 1) * adj_x;
    }

    // 8:  double v = x[i]
    adj_x[i] += adj_v;

    // 12:  y[i] = sin(v)
    double adj_v_2 = cos(v_2) * adj_y[i];
    adj_y[i] = 0.0;

    // 11:  v = v * v
    adj_v_2 *= 2.0 * tape_v_2;
    // 10:  double v = 2.0 * x[i]
    adj_x[i] += 2.0 * adj_v_2;
}
