// newton_by_name_adj: adjoint of newton_by_name (newton_by_name.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform newton_by_name.cu --of root --wrt a
//
// Call with a as it was before newton_by_name. Seed adj_root with dJ/droot: it is left
// alone, because newton_by_name stores each element of root at most once. dJ/da is
// added to adj_a. root and steps_taken are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x   dx_dtarget, carried forward   line 15 changes it in each iteration, and inputs
//                                     are few
//
// How adjoints are added up:
//   adj_a[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void newton_by_name_adj(const double *a, double *adj_a,
                                              double *root, const double *adj_root,
                                              double *steps_taken, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double target = 2.0 + a[i];
    double x = 1.5;
    int steps = 0;
    double dx_dtarget = 0.0;
    while (true) {
        double sine;
        double cosine;
        sincos(x, &sine, &cosine);
        double f = x * x * x + sine - target;
        double slope = 3.0 * x * x + cosine;
        double change = f / slope;
        dx_dtarget -= ((3.0 * x * x + cosine) * dx_dtarget - 1.0
                       - change * (6.0 * x - sine) * dx_dtarget) / slope;
        x -= change;
        bool either = fabs(change) < 1e-13;
        if (!either) {
            ++steps;
            either = steps == 40;
        }
        if (either)
            break;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 11:  while (true)
    // its tangents, carried along, are what it owes
    // 8:  double target = 2.0 + a[i]
    adj_a[i] += dx_dtarget * adj_root[i];
}
