// switch_fallthrough_adj: adjoint of switch_fallthrough (switch_fallthrough.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform switch_fallthrough.cu --of y --wrt x --mode split
//
// First launch switch_fallthrough_fwd, with the same grid and block: it does what
// switch_fallthrough does. Call with x and start as they were before
// switch_fallthrough. Seed adj_y with dJ/dy: it is left alone, because
// switch_fallthrough stores each element of y at most once. dJ/dx is added to adj_x. y
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, v (line 8),              recomputed               from values at hand
//   stage (line 10),
//   v (line 12), v (line 20),
//   v (line 24)
//   stage (line 9)              tape_stage, a register   line 13 overwrites it
//   v (line 18)                 tape_v, a register       line 20 overwrites it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void switch_fallthrough_fwd(const double *x, const int *start, double *y,
                                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int stage = start[i];
    switch (stage) {
    case 3:
        v = v * v;
        stage = 0;
        v = sin(v);
        break;
    case 2:
        v = sin(v);
        break;
    default:
        v = 2.0 * v * v;
        v = v + 0.5 * v * v;
        if (!(v > 2.0))
            v = exp(-v);
        break;
    case 1:
        v = v + 0.5 * v * v;
        if (!(v > 2.0))
            v = exp(-v);
        break;
    case 0:
        v = exp(-v);
        break;
    }
    y[i] = v * (stage + 1);
}

extern "C" __global__ void switch_fallthrough_adj(const double *x, double *adj_x, const int *start,
                                                  double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int stage = start[i];
    int tape_stage = stage;
    switch (stage) {
    case 3:
        stage = 0;
        break;
    }

    // 26:  y[i] = v * (stage + 1)
    double adj_v = (stage + 1) * adj_y[i];
    switch (tape_stage) {
    case 3:
        // 15:  v = sin(v)
        adj_v *= cos(v * v);

        // 12:  v = v * v
        adj_v *= 2.0 * v;
        break;
    case 2:
        // 15:  v = sin(v)
        adj_v *= cos(v);
        break;
    default: {
        double v_2 = 2.0 * v * v;
        double tape_v = v_2;
        v_2 = v_2 + 0.5 * v_2 * v_2;
        if (!(v_2 > 2.0)) {
            // 24:  v = exp(-v)
            adj_v = -(exp(-v_2) * adj_v);
        }

        // 20:  v = v + 0.5 * v * v
        adj_v += tape_v * adj_v;

        // 18:  v = 2.0 * v * v
        adj_v *= 4.0 * v;
        break;
    }
    case 1: {
        double v_3 = v + 0.5 * v * v;
        if (!(v_3 > 2.0)) {
            // 24:  v = exp(-v)
            adj_v = -(exp(-v_3) * adj_v);
        }

        // 20:  v = v + 0.5 * v * v
        adj_v += v * adj_v;
        break;
    }
    case 0:
        // 24:  v = exp(-v)
        adj_v = -(exp(-v) * adj_v);
        break;
    }

    // 8:  double v = x[i]
    adj_x[i] += adj_v;
}
