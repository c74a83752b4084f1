// effects_inside_adj: adjoint of effects_inside (effects_inside.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform effects_inside.cu --of y,z --wrt x
//
// Call with x as it was before effects_inside. Seed adj_y with dJ/dy: it is left alone,
// because effects_inside stores each element of y at most once. adj_z comes in as dJ/dz
// after effects_inside and goes out as dJ/dz before it, element by element. dJ/dx is
// added to adj_x. y and z are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   k (line 8)                  tape_k, a register         line 9 overwrites it
//   b (line 9)                  tape_b_2, a register       line 10 overwrites it
//   k (line 9)                  tape_k_2, a register       line 9 overwrites it
//   c (line 9)                  tape_c, a register         line 13 overwrites it
//   x[..]                       reloaded                   nothing stores to it
//   a (line 11)                 tape_a, a register         line 16 overwrites it
//   b (line 12)                 tape_b[m], global memory   line 13 changes it in each
//                                                          iteration
//   j                           inverted                   each iteration adds 1
//   trips of line 12            trips, a register          the loop decides in its
//                                                          iterations when it ends
//   b (line 12), c (line 12),   reloaded                   still in its variable
//   last, a (line 16)
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[k++], x[k] and
//                           x[i * m + j]
//
// Extra memory: a tape of m * sizeof(double) bytes (tape_b) per thread, in global
// memory; effects_inside_adj_tape_bytes(grid, block, n, m) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t effects_inside_adj_tape_bytes(dim3 grid, dim3 block, int n, int m)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (m > 0 ? m : 0) * sizeof(double) + 15) / 16 * 16;  // tape_b
    return bytes;
}
#endif

extern "C" __global__ void effects_inside_adj(const double *x, double *adj_x,
                                              double *y, const double *adj_y,
                                              double *z, double *adj_z, int n, int m, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double *tape_b = (double *)(tape + 16) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int k = i * m;
    int tape_k = k;
    double a;
    double b = x[k];
    double tape_b_2 = b;
    k++;
    int tape_k_2 = k;
    double c = b * x[k];
    double tape_c = c;
    k++;
    b = c * b;
    a = b;
    a *= 2.0;
    double tape_a = a;
    int j = 0;
    int trips = 0;
    for (int left = m; left > 0; ++j, --left) {
        tape_b[trips * threads] = b;
        c += x[i * m + j] * b;
        b *= 0.5;
        ++trips;
    }
    double last = sin(a) * (b + c);
    a = last * last;

    // ---- reverse sweep ------------------------------------------------------

    double adj_a = 0.0;
    if (a > 0.1) {
        // 17:  z[i] += a
        adj_a = adj_z[i];
    }

    // 16:  a = last * last
    double adj_last = 2.0 * last * adj_a;

    // 15:  z[i] = last = sin(a) * (b + c)
    adj_last += adj_z[i];
    adj_z[i] = 0.0;

    // 15:  last = sin(a) * (b + c)
    adj_a = (b + c) * cos(tape_a) * adj_last;
    double g = sin(tape_a) * adj_last;
    double adj_b = g;
    double adj_c = g;
    for (int trip = trips - 1; trip >= 0; --trip) {
        double b = tape_b[trip * threads];
        // 13:  b *= 0.5
        adj_b *= 0.5;

        // 13:  c += x[i * m + j] * b
        atomicAdd(&adj_x[i * m + trip], b * adj_c);
        adj_b += x[i * m + trip] * adj_c;
    }

    // 11:  y[i] = (a *= 2.0) + x[k]
    double g_2 = adj_y[i];
    adj_a += g_2;
    atomicAdd(&adj_x[k], g_2);

    // 11:  a *= 2.0
    adj_a *= 2.0;
    // 10:  a = b = c * b
    adj_b += adj_a;

    // 10:  b = c * b
    adj_c += tape_b_2 * adj_b;
    adj_b *= tape_c;

    // 9:  c = b * x[k++]
    adj_b += x[tape_k_2] * adj_c;
    atomicAdd(&adj_x[tape_k_2], tape_b_2 * adj_c);

    // 9:  b = x[k++]
    atomicAdd(&adj_x[tape_k], adj_b);
}
