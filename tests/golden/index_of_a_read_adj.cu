// index_of_a_read_adj: adjoint of index_of_a_read (index_of_a_read.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform index_of_a_read.cu --of y --wrt x
//
// Call with x and pick as they were before index_of_a_read. Seed adj_y with dJ/dy: it
// is left alone, because index_of_a_read stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   near      recomputed             from values at hand, in the reversed iteration
//   w[near]   tape_w[4], registers   line 13 overwrites it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void index_of_a_read_adj(const double *x, double *adj_x, const int *pick,
                                               double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double w[3] = {0.5, 0.25, 1.0};
    double tape_w[4];
    for (int k = 0; k < 4; ++k) {
        int near = (pick[i] + k) % 3;
        tape_w[k] = w[near];
        w[k % 3] = 0.3 * x[i] * (k + 1);
    }

    // ---- reverse sweep ------------------------------------------------------

    // 15:  y[i] = s
    double adj_s = adj_y[i];
    double adj_w[3] = {};
    double adj_x_sum = 0.0;
    for (int k = 3; k >= 0; --k) {
        int near = (pick[i] + k) % 3;

        // 13:  w[k % 3] = 0.3 * x[i] * (k + 1)
        adj_x_sum += 0.3 * (k + 1) * adj_w[k % 3];
        adj_w[k % 3] = 0.0;

        // 12:  s += w[near] * w[near]
        adj_w[near] += 2.0 * tape_w[k] * adj_s;
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0)
        adj_x[i] += adj_x_sum;

    // 9:  double s = x[i]
    adj_x[i] += adj_s;
}
