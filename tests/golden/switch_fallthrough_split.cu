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
//   i, entry, stage,           recomputed                  from values at hand
//   broken (line 19),
//   v (line 19), v (line 24)
//   v (line 8)                 tape_v, a register          line 12 overwrites it
//   broken                     tape_broken, a register     it is overwritten
//   v (line 11)                tape_v_2, a register        line 15 overwrites it
//   broken (line 14)           tape_broken_2, a register   it is overwritten
//   v (line 14)                tape_v_3, a register        line 18 overwrites it
//   v (line 17)                tape_v_4, a register        line 20 overwrites it
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
    int selector = stage;
    int entry = selector == 3 ? 0 : selector == 2 ? 1 : selector == 1 ? 3 : selector == 0 ? 4 : 2;
    bool broken = false;
    if (entry <= 0 && !broken) {
        v = v * v;
        stage = 0;
    }
    if (entry <= 1 && !broken) {
        v = sin(v);
        broken = true;
    }
    if (entry <= 2 && !broken)
        v = 2.0 * v * v;
    if (entry <= 3 && !broken) {
        v = v + 0.5 * v * v;
        if (v > 2.0)
            broken = true;
    }
    if (entry <= 4 && !broken)
        v = exp(-v);
    y[i] = v * (stage + 1);
}

extern "C" __global__ void switch_fallthrough_adj(const double *x, double *adj_x, const int *start,
                                                  double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    double tape_v = v;
    int stage = start[i];
    int entry = stage == 3 ? 0 : stage == 2 ? 1 : stage == 1 ? 3 : stage == 0 ? 4 : 2;
    bool broken = false;
    bool tape_broken = broken;
    if (entry <= 0 && !broken) {
        v = v * v;
        stage = 0;
    }
    double tape_v_2 = v;
    if (entry <= 1 && !broken) {
        v = sin(v);
        broken = true;
    }
    bool tape_broken_2 = broken;
    double tape_v_3 = v;
    if (entry <= 2 && !broken)
        v = 2.0 * v * v;
    double tape_v_4 = v;
    if (entry <= 3 && !broken) {
        v = v + 0.5 * v * v;
        if (v > 2.0)
            broken = true;
    }

    // 26:  y[i] = v * (stage + 1)
    double adj_v = (stage + 1) * adj_y[i];
    if (entry <= 4 && !broken) {
        double v_2 = v;
        v_2 = exp(-v_2);

        // 24:  v = exp(-v)
        adj_v = -(v_2 * adj_v);
    }
    if (entry <= 3 && !tape_broken_2) {
        // 20:  v = v + 0.5 * v * v
        adj_v += tape_v_4 * adj_v;
    }
    if (entry <= 2 && !tape_broken_2) {
        // 18:  v = 2.0 * v * v
        adj_v *= 4.0 * tape_v_3;
    }
    if (entry <= 1 && !tape_broken) {
        // 15:  v = sin(v)
        adj_v *= cos(tape_v_2);
    }
    if (entry <= 0 && !tape_broken) {
        // 12:  v = v * v
        adj_v *= 2.0 * tape_v;
    }

    // 8:  double v = x[i]
    adj_x[i] += adj_v;
}
