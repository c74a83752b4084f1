// taped_partials_adj: adjoint of taped_partials (taped_partials.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform taped_partials.cu --of angle,speed --wrt angle,speed,k,damping
//
// Call with angle, speed and k as they were before taped_partials. adj_angle comes in
// as dJ/dangle after taped_partials and goes out as dJ/dangle before it, element by
// element. adj_speed comes in as dJ/dspeed after taped_partials and goes out as
// dJ/dspeed before it, element by element. dJ/dk is added to adj_k; dJ/ddamping is
// added to adj_damping. angle and speed are only read.
//
// What the reverse sweep needs, and where it finds it:
//   p (line 13)   tape_p_2[rounds], global memory    line 18 or 20 changes it in each
//                                                    iteration
//   q (line 13)   tape_q_2[rounds], global memory    line 15 changes it in each
//                                                    iteration
//   q (line 14)   tape_q[STEPS], registers           line 15 changes it in each
//                                                    iteration
//   dq/dq         tape_dq_dq[STEPS], registers       partial of line 15, a load instead
//                                                    of 1 cos, 1 sin
//   k[..]         reloaded                           nothing stores to it
//   p (line 16)   tape_p[STEPS], registers           line 18 changes it in each
//                                                    iteration
//   dforce/dp     tape_dforce_dp[STEPS], registers   partial of line 17, a load instead
//                                                    of 1 cos
//
// How adjoints are added up:
//   adj_angle[..]   +=, one owner       one thread per element
//   adj_speed[..]   +=, one owner       one thread per element
//   adj_k[..]       reduced per block   every thread reads k[s] and k[STEPS - s]
//   adj_damping     reduced per block   every thread has its share in it
//
// Extra memory: a tape of rounds * sizeof(double) bytes (tape_p_2) and rounds *
// sizeof(double) bytes (tape_q_2) per thread, in global memory;
// taped_partials_adj_tape_bytes(grid, block, damping, rounds, n) says how many in all.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define STEPS 4

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t taped_partials_adj_tape_bytes(dim3 grid, dim3 block, double damping, int rounds,
                                                int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (rounds > 0 ? rounds : 0) * sizeof(double) + 15) / 16 * 16;  // tape_p_2
    bytes += (threads * (rounds > 0 ? rounds : 0) * sizeof(double) + 15) / 16 * 16;  // tape_q_2
    return bytes;
}
#endif

__global__ void taped_partials_adj(double *angle, double *adj_angle,
                                   double *speed, double *adj_speed,
                                   const double *k, double *adj_k,
                                   double damping, double *adj_damping, int rounds, int n,
                                   char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_p_2 = (double *)(tape + at) + thread;
    at += (threads * (rounds > 0 ? rounds : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_q_2 = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_damping_sum = 0.0;
    double adj_p;
    double adj_q;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double q = angle[i];
        double p = speed[i];
        for (int r = 0; r < rounds; ++r) {
            tape_q_2[r * threads] = q;
            tape_p_2[r * threads] = p;
            for (int s = 0; s < STEPS; ++s)
                q = q * cos(0.1 * q) - k[s] * q * damping;
            for (int s = 1; s <= STEPS; ++s) {
                double force = sin(p) - k[STEPS - s] * p;
                p -= 0.1 * force;
            }
            p += 0.3 * q;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 23:  speed[i] = p
        adj_p = adj_speed[i];
        // 22:  angle[i] = q
        adj_q = adj_angle[i];
    }
    for (int r = rounds - 1; r >= 0; --r) {
        double tape_dq_dq[STEPS];
        double tape_q[STEPS];
        double tape_dforce_dp[STEPS];
        double tape_p[STEPS];
        if (i < n) {
            double q = tape_q_2[r * threads];
            double p = tape_p_2[r * threads];
            for (int s = 0; s < STEPS; ++s) {
                tape_q[s] = q;
                double sine;
                double cosine;
                sincos(0.1 * q, &sine, &cosine);
                tape_dq_dq[s] = cosine - 0.1 * q * sine - damping * k[s];
                q = q * cosine - k[s] * q * damping;
            }
            for (int s = 1; s <= STEPS; ++s) {
                tape_p[s - 1] = p;
                double sine;
                double cosine;
                sincos(p, &sine, &cosine);
                tape_dforce_dp[s - 1] = cosine - k[STEPS - s];
                double force = sine - k[STEPS - s] * p;
                p -= 0.1 * force;
            }

            // 20:  p += 0.3 * q
            adj_q += 0.3 * adj_p;
        }
        for (int s = STEPS; s >= 1; --s) {
            double adj_k_sum = 0.0;
            if (i < n) {
                double p = tape_p[s - 1];
                // 18:  p -= 0.1 * force
                double adj_force = -0.1 * adj_p;

                // 17:  double force = sin(p) - k[STEPS - s] * p
                adj_p += tape_dforce_dp[s - 1] * adj_force;
                adj_k_sum = -(p * adj_force);
            }
            block_add(&adj_k[STEPS - s], adj_k_sum);
        }
        for (int s = STEPS - 1; s >= 0; --s) {
            double adj_k_sum = 0.0;
            if (i < n) {
                double q = tape_q[s];

                // 15:  q = q * cos(0.1 * q) - k[s] * q * damping
                adj_k_sum = -(q * damping * adj_q);
                adj_damping_sum -= k[s] * q * adj_q;
                adj_q *= tape_dq_dq[s];
            }
            block_add(&adj_k[s], adj_k_sum);
        }
    }
    if (i < n) {
        // 12:  double p = speed[i]
        adj_speed[i] = adj_p;
        // 11:  double q = angle[i]
        adj_angle[i] = adj_q;
    }
    block_add(adj_damping, adj_damping_sum);
}
