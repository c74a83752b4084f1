// enumerated_adj: adjoint of enumerated (enumerated.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform enumerated.cu --of y --wrt x
//
// Call with x and program as they were before enumerated. Seed adj_y with dJ/dy: it is
// left alone, because enumerated stores each element of y at most once. dJ/dx is added
// to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v   dv_dx, carried forward   line 17 or 20 or 26 changes it in each iteration, and
//                                inputs are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

enum Step { SKIP, DOUBLE_IT, SQUARE_IT = 4, STOP };

extern "C" __global__ void enumerated_adj(const double *x, double *adj_x, const int *program,
                                          double *y, const double *adj_y, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double v = x[i];
    bool running = true;
    double dv_dx = 1.0;
    for (int k = 0; k < length && running; ++k) {
        bool left = false;
        switch (program[(i + k) % n]) {
        case SKIP:
            left = true;
            break;
        case DOUBLE_IT:
            dv_dx *= 1.5;
            v *= 1.5;
            break;
        case SQUARE_IT:
            dv_dx *= v;
            v = 0.5 * v * v;
            break;
        case STOP:
            running = false;
            break;
        }
        if (!left) {
            double sine;
            double cosine;
            sincos(v, &sine, &cosine);
            dv_dx *= cosine;
            v = sine;
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    // 28:  y[i] = v
    double adj_v = adj_y[i];
    // 12:  for (int k = 0; k < length && running; ++k)
    // its tangents, carried along, are what it owes
    adj_v *= dv_dx;
    // 10:  double v = x[i]
    adj_x[i] += adj_v;
}
