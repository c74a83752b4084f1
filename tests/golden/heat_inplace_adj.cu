// heat_inplace_adj: adjoint of heat_inplace (heat_inplace.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform heat_inplace.cu --of u --wrt u,kappa
//
// Call with u and kappa as they were before heat_inplace. adj_u comes in as dJ/du after
// heat_inplace and goes out as dJ/du before it, element by element. dJ/dkappa is added
// to adj_kappa. The content of u afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   left                      tape_left[points - 2], global memory           line 15 changes it in
//                                                                            each iteration
//   u[rod * points + p]       tape_here[steps][points - 2], global memory    line 14 overwrites it
//   here, right               recomputed                                     from values at hand, in
//                                                                            the reversed iteration
//   u[rod * points + p + 1]   tape_right[steps][points - 2], global memory   line 14 overwrites it
//   kappa[..]                 reloaded                                       nothing stores to it
//
// How adjoints are added up:
//   adj_u[..]       +=, one owner   each thread has elements of its own
//   adj_kappa[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of ((long long)points - 2) * sizeof(double) bytes (tape_left)
// and (steps * ((long long)points - 2)) * sizeof(double) bytes (tape_right) and (steps
// * ((long long)points - 2)) * sizeof(double) bytes (tape_here) per thread, in global
// memory; heat_inplace_adj_tape_bytes(grid, block, rods, points, steps) says how many
// in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t heat_inplace_adj_tape_bytes(dim3 grid, dim3 block, int rods, int points,
                                              int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    // tape_left
    bytes += (threads * ((long long)points - 2 > 0 ? (long long)points - 2 : 0) * sizeof(double)
              + 15) / 16 * 16;
    // tape_right
    bytes += (threads
              * ((steps > 0 ? steps : 0) * ((long long)points - 2 > 0 ? (long long)points - 2 : 0))
              * sizeof(double) + 15) / 16 * 16;
    // tape_here
    bytes += (threads
              * ((steps > 0 ? steps : 0) * ((long long)points - 2 > 0 ? (long long)points - 2 : 0))
              * sizeof(double) + 15) / 16 * 16;
    return bytes;
}
#endif

extern "C" __global__ void heat_inplace_adj(double *u, double *adj_u,
                                            const double *kappa, double *adj_kappa, int rods,
                                            int points, int steps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_left = (double *)(tape + at) + thread;
    at += (threads * (points - 2 > 0 ? points - 2 : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_right = (double *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * (points - 2 > 0 ? points - 2 : 0) * sizeof(double)
           + 15) / 16 * 16;
    double *tape_here = (double *)(tape + at) + thread;
    int rod = blockIdx.x * blockDim.x + threadIdx.x;
    if (rod >= rods)
        return;

    // ---- forward sweep ------------------------------------------------------

    for (int s = 0; s < steps; ++s) {
        double left = u[rod * points];
        for (int p = 1; p + 1 < points; ++p) {
            double here = u[rod * points + p];
            tape_here[((size_t)s * (points - 2) + (p - 1)) * threads] = here;
            double right = u[rod * points + p + 1];
            tape_right[((size_t)s * (points - 2) + (p - 1)) * threads] = right;
            u[rod * points + p] = here + kappa[rod] * (left - 2.0 * here + right);
            left = here;
        }
    }

    // ---- reverse sweep ------------------------------------------------------

    double adj_kappa_sum = 0.0;
    for (int s = steps - 1; s >= 0; --s) {
        double left = u[rod * points];
        for (int p = 1; p + 1 < points; ++p) {
            tape_left[(p - 1) * threads] = left;
            double here = tape_here[((size_t)s * (points - 2) + (p - 1)) * threads];
            left = here;
        }
        double adj_left = 0.0;
        for (int p = points - 2; p >= 1; --p) {
            double left = tape_left[(p - 1) * threads];
            double here = tape_here[((size_t)s * (points - 2) + (p - 1)) * threads];
            double right = tape_right[((size_t)s * (points - 2) + (p - 1)) * threads];

            // 15:  left = here
            double adj_here = adj_left;

            // 14:  u[rod * points + p] = here + kappa[rod] * (left - 2.0 * here + right)
            double g = adj_u[rod * points + p];
            adj_here += g;
            adj_kappa_sum += (left - 2.0 * here + right) * g;
            double g_2 = kappa[rod] * g;
            adj_left = g_2;
            adj_here -= 2.0 * g_2;
            adj_u[rod * points + p] = 0.0;

            // 13:  double right = u[rod * points + p + 1]
            adj_u[rod * points + p + 1] += g_2;
            // 12:  double here = u[rod * points + p]
            adj_u[rod * points + p] += adj_here;
        }

        // 10:  double left = u[rod * points]
        adj_u[rod * points] += adj_left;
    }
    // what the iterations owe, added once
    if (adj_kappa_sum != 0.0)
        adj_kappa[rod] += adj_kappa_sum;
}
