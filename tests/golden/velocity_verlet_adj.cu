// velocity_verlet_adj: adjoint of velocity_verlet (velocity_verlet.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform velocity_verlet.cu --of x,v --wrt x,v,k --mode split
//
// First launch velocity_verlet_fwd, with the same grid, block and tape: it does what
// velocity_verlet does, and records. Call with k as it was before velocity_verlet.
// adj_x comes in as dJ/dx after velocity_verlet and goes out as dJ/dx before it,
// element by element. adj_v comes in as dJ/dv after velocity_verlet and goes out as
// dJ/dv before it, element by element. dJ/dk is added to adj_k. x and v are neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i                recomputed                       from values at hand
//   x[i] (line 10)   tape_x[1], global memory         line 13 overwrites it
//   k[..]            reloaded                         nothing stores to it
//   x[i] (line 14)   tape_x_2[steps], global memory   line 13 overwrites it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_k[..]   +=, one owner   one thread per element
//   adj_v[..]   +=, one owner   one thread per element
//
// Extra memory: a tape of sizeof(double) bytes (tape_x) and steps * sizeof(double)
// bytes (tape_x_2) per thread, in global memory; velocity_verlet_adj_tape_bytes(grid,
// block, dt, steps, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

static __device__ void force_adj(double x, double *adj_x, double k, double *adj_k, double adj_force)
{
    // 3:  return -k * x - 0.1 * x * x * x
    *adj_k -= x * adj_force;
    *adj_x -= (k + 0.3 * x * x) * adj_force;
}

static __device__ double force(double x, double k)
{
    return -k * x - 0.1 * x * x * x;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t velocity_verlet_adj_tape_bytes(dim3 grid, dim3 block, double dt, int steps, int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_x
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_x_2
    return bytes;
}
#endif

extern "C" __global__ void velocity_verlet_fwd(double *x, double *v, const double *k, double dt,
                                               int steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_x = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_x_2 = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    *tape_x = x[i];
    double f = force(x[i], k[i]);
    for (int s = 0; s < steps; ++s) {
        v[i] += 0.5 * dt * f;
        x[i] += dt * v[i];
        tape_x_2[s * threads] = x[i];
        f = force(x[i], k[i]);
        v[i] += 0.5 * dt * f;
    }
}

extern "C" __global__ void velocity_verlet_adj(double *x, double *adj_x,
                                               double *v, double *adj_v,
                                               const double *k, double *adj_k, double dt, int steps,
                                               int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_x = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_x_2 = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double adj_f = 0.0;
    double adj_k_sum = 0.0;
    for (int s = steps - 1; s >= 0; --s) {
        // 15:  v[i] += 0.5 * dt * f
        adj_f += 0.5 * dt * adj_v[i];

        // 14:  f = force(x[i], k[i])
        double adj_x_2 = 0.0;
        double adj_k = 0.0;
        force_adj(tape_x_2[s * threads], &adj_x_2, k[i], &adj_k, adj_f);
        adj_x[i] += adj_x_2;
        adj_k_sum += adj_k;

        // 13:  x[i] += dt * v[i]
        adj_v[i] += dt * adj_x[i];
        // 12:  v[i] += 0.5 * dt * f
        adj_f = 0.5 * dt * adj_v[i];
    }
    // what the iterations owe, added once
    if (adj_k_sum != 0.0)
        adj_k[i] += adj_k_sum;

    // 10:  double f = force(x[i], k[i])
    double adj_x_2 = 0.0;
    double adj_k_2 = 0.0;
    force_adj(*tape_x, &adj_x_2, k[i], &adj_k_2, adj_f);
    adj_x[i] += adj_x_2;
    adj_k[i] += adj_k_2;
}
