// hodgkin_huxley_adj: adjoint of hodgkin_huxley (hodgkin_huxley.cu:11).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform hodgkin_huxley.cu --of v --wrt v,gates,current,g_na
//
// Call with v, gates and current as they were before hodgkin_huxley. adj_v comes in as
// dJ/dv after hodgkin_huxley and goes out as dJ/dv before it, element by element.
// adj_gates comes in as dJ/dgates after hodgkin_huxley and goes out as dJ/dgates before
// it, element by element. dJ/dcurrent is added to adj_current; dJ/dg_na is added to
// adj_g_na. v and gates are only read.
//
// What the reverse sweep needs, and where it finds it:
//   u                        tape_u[steps], global memory   line 29 changes it in each
//                                                           iteration
//   m                        tape_m[steps], global memory   line 26 changes it in each
//                                                           iteration
//   h                        tape_h[steps], global memory   line 27 changes it in each
//                                                           iteration
//   n                        tape_n[steps], global memory   line 28 changes it in each
//                                                           iteration
//   am, bm, ah, bh, an, bn   recomputed                     from values at hand, in the
//                                                           reversed iteration
//
// How adjoints are added up:
//   adj_v[..]         +=, one owner       one thread per element
//   adj_gates[..]     +=, one owner       one thread per element
//   adj_current[..]   +=, one owner       one thread per element
//   adj_g_na          reduced per block   every thread has its share in it
//
// Extra memory: a tape of steps * sizeof(double) bytes (tape_u) and steps *
// sizeof(double) bytes (tape_m) and steps * sizeof(double) bytes (tape_h) and steps *
// sizeof(double) bytes (tape_n) per thread, in global memory;
// hodgkin_huxley_adj_tape_bytes(grid, block, g_na, dt, cells, steps) says how many in
// all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

static __device__ double rate_of(double v, double at, double scale, double slope)
{
    double d = (v - at) / slope;
    if (fabs(d) < 1e-6)
        return scale * slope * (1.0 + 0.5 * d);
    return scale * (v - at) / (1.0 - exp(-d));
}

static __device__ double rate_of_adj_v(double v, double at, double scale, double slope,
                                       double adj_rate_of)
{
    double d = (v - at) / slope;
    double adj_v = 0.0;
    double adj_d;
    if (fabs(d) < 1e-6) {
        // 7:  return scale * slope * (1.0 + 0.5 * d)
        adj_d = 0.5 * (scale * slope) * adj_rate_of;
    } else {
        // 8:  return scale * (v - at) / (1.0 - exp(-d))
        double g = adj_rate_of / (1.0 - exp(-d));
        adj_v = scale * g;
        adj_d = -(scale * (v - at) / (1.0 - exp(-d)) * exp(-d) * g);
    }

    // 5:  double d = (v - at) / slope
    adj_v += adj_d / slope;
    return adj_v;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t hodgkin_huxley_adj_tape_bytes(dim3 grid, dim3 block, double g_na, double dt,
                                                int cells, int steps)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_u
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_m
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_h
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_n
    return bytes;
}
#endif

extern "C" __global__ void hodgkin_huxley_adj(double *v, double *adj_v,
                                              double *gates, double *adj_gates,
                                              const double *current, double *adj_current,
                                              double g_na, double *adj_g_na, double dt, int cells,
                                              int steps, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_u = (double *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_m = (double *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_h = (double *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_n = (double *)(tape + at) + thread;
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_g_na_sum = 0.0;
    if (c < cells) {
        // ---- forward sweep ------------------------------------------------------

        double u = v[c];
        double m = gates[3 * c];
        double h = gates[3 * c + 1];
        double n = gates[3 * c + 2];
        for (int s = 0; s < steps; ++s) {
            tape_m[s * threads] = m;
            tape_h[s * threads] = h;
            tape_n[s * threads] = n;
            tape_u[s * threads] = u;
            double am = rate_of(u, -40.0, 0.1, 10.0);
            double bm = 4.0 * exp(-(u + 65.0) / 18.0);
            double ah = 0.07 * exp(-(u + 65.0) / 20.0);
            double bh = 1.0 / (1.0 + exp(-(u + 35.0) / 10.0));
            double an = rate_of(u, -55.0, 0.01, 10.0);
            double bn = 0.125 * exp(-(u + 65.0) / 80.0);
            double i_na = g_na * m * m * m * h * (u - 50.0);
            double i_k = 36.0 * n * n * n * n * (u + 77.0);
            double i_leak = 0.3 * (u + 54.4);
            m += dt * (am * (1.0 - m) - bm * m);
            h += dt * (ah * (1.0 - h) - bh * h);
            n += dt * (an * (1.0 - n) - bn * n);
            u += dt * (current[c] - i_na - i_k - i_leak);
        }

        // ---- reverse sweep ------------------------------------------------------

        // 34:  gates[3 * c + 2] = n
        double adj_n = adj_gates[3 * c + 2];
        adj_gates[3 * c + 2] = 0.0;

        // 33:  gates[3 * c + 1] = h
        double adj_h = adj_gates[3 * c + 1];
        adj_gates[3 * c + 1] = 0.0;

        // 32:  gates[3 * c] = m
        double adj_m = adj_gates[3 * c];

        // 31:  v[c] = u
        double adj_u = adj_v[c];
        double adj_current_sum = 0.0;
        for (int s = steps - 1; s >= 0; --s) {
            double m = tape_m[s * threads];
            double h = tape_h[s * threads];
            double n = tape_n[s * threads];
            double u = tape_u[s * threads];
            double am = rate_of(u, -40.0, 0.1, 10.0);
            double bm = 4.0 * exp(-(u + 65.0) / 18.0);
            double ah = 0.07 * exp(-(u + 65.0) / 20.0);
            double bh = 1.0 / (1.0 + exp(-(u + 35.0) / 10.0));
            double an = rate_of(u, -55.0, 0.01, 10.0);
            double bn = 0.125 * exp(-(u + 65.0) / 80.0);

            // 29:  u += dt * (current[c] - i_na - i_k - i_leak)
            double g = dt * adj_u;
            adj_current_sum += g;
            double adj_i_na = -g;
            double adj_i_k = -g;

            // 28:  n += dt * (an * (1.0 - n) - bn * n)
            double g_2 = dt * adj_n;
            adj_n -= (an + bn) * g_2;

            // 27:  h += dt * (ah * (1.0 - h) - bh * h)
            double g_3 = dt * adj_h;
            adj_h -= (ah + bh) * g_3;

            // 26:  m += dt * (am * (1.0 - m) - bm * m)
            double g_4 = dt * adj_m;
            adj_m -= (am + bm) * g_4;

            // 25:  double i_leak = 0.3 * (u + 54.4)
            adj_u -= 0.3 * g;

            // 24:  double i_k = 36.0 * n * n * n * n * (u + 77.0)
            adj_n += 144.0 * n * n * n * (u + 77.0) * adj_i_k;
            adj_u += 36.0 * n * n * n * n * adj_i_k;

            // 23:  double i_na = g_na * m * m * m * h * (u - 50.0)
            adj_g_na_sum += m * m * m * h * (u - 50.0) * adj_i_na;
            adj_m += 3.0 * g_na * m * m * h * (u - 50.0) * adj_i_na;
            adj_h += g_na * m * m * m * (u - 50.0) * adj_i_na;
            adj_u += g_na * m * m * m * h * adj_i_na;

            // 22:  bn = 0.125 * exp(-(u + 65.0) / 80.0)
            adj_u += 0.125 * exp(-(u + 65.0) / 80.0) * n * g_2 / 80.0;
            // 22:  double an = rate_of(u, -55.0, 0.01, 10.0)
            adj_u += rate_of_adj_v(u, -55.0, 0.01, 10.0, (1.0 - n) * g_2);
            // 21:  bh = 1.0 / (1.0 + exp(-(u + 35.0) / 10.0))
            adj_u -= bh * bh * exp(-(u + 35.0) / 10.0) * h * g_3 / 10.0;
            // 21:  double ah = 0.07 * exp(-(u + 65.0) / 20.0)
            adj_u -= 0.07 * exp(-(u + 65.0) / 20.0) * (1.0 - h) * g_3 / 20.0;
            // 20:  bm = 4.0 * exp(-(u + 65.0) / 18.0)
            adj_u += 4.0 * exp(-(u + 65.0) / 18.0) * m * g_4 / 18.0;
            // 20:  double am = rate_of(u, -40.0, 0.1, 10.0)
            adj_u += rate_of_adj_v(u, -40.0, 0.1, 10.0, (1.0 - m) * g_4);
        }
        // what the iterations owe, added once
        if (adj_current_sum != 0.0)
            adj_current[c] += adj_current_sum;

        // 18:  double m = gates[3 * c]
        adj_gates[3 * c] = adj_m;
        // 18:  h = gates[3 * c + 1]
        adj_gates[3 * c + 1] += adj_h;
        // 18:  n = gates[3 * c + 2]
        adj_gates[3 * c + 2] += adj_n;
        // 17:  double u = v[c]
        adj_v[c] = adj_u;
    }
    block_add(adj_g_na, adj_g_na_sum);
}
