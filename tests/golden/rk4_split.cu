// rk4_adj: adjoint of rk4 (rk4.cu:8).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform rk4.cu --of theta,omega --wrt theta,omega,damping,length --mode split
//
// First launch rk4_fwd, with the same grid, block and tape: it does what rk4 does, and
// records. Call with damping as it was before rk4. adj_theta comes in as dJ/dtheta
// after rk4 and goes out as dJ/dtheta before it, element by element. adj_omega comes in
// as dJ/domega after rk4 and goes out as dJ/domega before it, element by element.
// dJ/ddamping is added to adj_damping; dJ/dlength is added to adj_length. theta and
// omega are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i, c             recomputed                     from values at hand
//   q                tape_q[steps], global memory   line 24 changes it in each
//                                                   iteration
//   w                tape_w[steps], global memory   line 25 changes it in each
//                                                   iteration
//   q1, q2, q3, q4   recomputed                     from values at hand, in the
//                                                   reversed iteration
//
// How adjoints are added up:
//   adj_theta[..]     +=, one owner       one thread per element
//   adj_omega[..]     +=, one owner       one thread per element
//   adj_damping[..]   +=, one owner       one thread per element
//   adj_length        reduced per block   every thread has its share in it
//
// Extra memory: a tape of steps * sizeof(double) bytes (tape_q) and steps *
// sizeof(double) bytes (tape_w) per thread, in global memory; rk4_adj_tape_bytes(grid,
// block, length, h, steps, n) says how many in all.
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

static __device__ double acceleration(double angle, double speed, double damping, double length)
{
    return -damping * speed - 9.81 / length * sin(angle);
}

static __device__ void acceleration_adj(double angle, double *adj_angle,
                                        double speed, double *adj_speed,
                                        double damping, double *adj_damping,
                                        double length, double *adj_length, double adj_acceleration)
{
    // 5:  return -damping * speed - 9.81 / length * sin(angle)
    *adj_damping -= speed * adj_acceleration;
    *adj_speed -= damping * adj_acceleration;
    double r = 9.81 / length;
    *adj_length += sin(angle) * r * r * adj_acceleration / 9.81;
    *adj_angle -= 9.81 / length * cos(angle) * adj_acceleration;
}

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t rk4_adj_tape_bytes(dim3 grid, dim3 block, double length, double h, int steps,
                                     int n)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_q
    bytes += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;  // tape_w
    return bytes;
}
#endif

extern "C" __global__ void rk4_fwd(double *theta, double *omega, const double *damping,
                                   double length, double h, int steps, int n, char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_q = (double *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_w = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double q = theta[i];
    double w = omega[i];
    double c = damping[i];
    for (int s = 0; s < steps; ++s) {
        tape_q[s * threads] = q;
        tape_w[s * threads] = w;
        double q1 = w;
        double w1 = acceleration(q, w, c, length);
        double q2 = w + 0.5 * h * w1;
        double w2 = acceleration(q + 0.5 * h * q1, q2, c, length);
        double q3 = w + 0.5 * h * w2;
        double w3 = acceleration(q + 0.5 * h * q2, q3, c, length);
        double q4 = w + h * w3;
        double w4 = acceleration(q + h * q3, q4, c, length);
        q += h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4);
        w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    }
    theta[i] = q;
    omega[i] = w;
}

extern "C" __global__ void rk4_adj(double *theta, double *adj_theta,
                                   double *omega, double *adj_omega,
                                   const double *damping, double *adj_damping,
                                   double length, double *adj_length, double h, int steps, int n,
                                   char *tape)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t at = 16;
    double *tape_q = (double *)(tape + at) + thread;
    at += (threads * (steps > 0 ? steps : 0) * sizeof(double) + 15) / 16 * 16;
    double *tape_w = (double *)(tape + at) + thread;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_length_sum = 0.0;
    if (i < n) {
        double c = damping[i];
        // 28:  omega[i] = w
        double adj_w = adj_omega[i];

        // 27:  theta[i] = q
        double adj_q = adj_theta[i];
        double adj_c = 0.0;
        for (int s = steps - 1; s >= 0; --s) {
            double q = tape_q[s * threads];
            double w = tape_w[s * threads];
            double q1 = w;
            double w1 = acceleration(q, w, c, length);
            double q2 = w + 0.5 * h * w1;
            double w2 = acceleration(q + 0.5 * h * q1, q2, c, length);
            double q3 = w + 0.5 * h * w2;
            double w3 = acceleration(q + 0.5 * h * q2, q3, c, length);
            double q4 = w + h * w3;

            // 25:  w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4)
            double g = h / 6.0 * adj_w;
            double adj_w1 = g;
            double adj_w2 = 2.0 * g;
            double adj_w3 = 2.0 * g;

            // 24:  q += h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4)
            double g_2 = h / 6.0 * adj_q;
            double adj_q1 = g_2;
            double adj_q2 = 2.0 * g_2;
            double adj_q3 = 2.0 * g_2;
            double adj_q4 = g_2;

            // 23:  double w4 = acceleration(q + h * q3, q4, c, length)
            double adj_angle = 0.0;
            acceleration_adj(q + h * q3, &adj_angle, q4, &adj_q4, c, &adj_c, length,
                             &adj_length_sum, g);
            adj_q += adj_angle;
            adj_q3 += h * adj_angle;

            // 22:  double q4 = w + h * w3
            adj_w += adj_q4;
            adj_w3 += h * adj_q4;

            // 21:  double w3 = acceleration(q + 0.5 * h * q2, q3, c, length)
            double adj_angle_2 = 0.0;
            acceleration_adj(q + 0.5 * h * q2, &adj_angle_2, q3, &adj_q3, c, &adj_c, length,
                             &adj_length_sum, adj_w3);
            adj_q += adj_angle_2;
            adj_q2 += 0.5 * h * adj_angle_2;

            // 20:  double q3 = w + 0.5 * h * w2
            adj_w += adj_q3;
            adj_w2 += 0.5 * h * adj_q3;

            // 19:  double w2 = acceleration(q + 0.5 * h * q1, q2, c, length)
            double adj_angle_3 = 0.0;
            acceleration_adj(q + 0.5 * h * q1, &adj_angle_3, q2, &adj_q2, c, &adj_c, length,
                             &adj_length_sum, adj_w2);
            adj_q += adj_angle_3;
            adj_q1 += 0.5 * h * adj_angle_3;

            // 18:  double q2 = w + 0.5 * h * w1
            adj_w += adj_q2;
            adj_w1 += 0.5 * h * adj_q2;

            // 17:  double w1 = acceleration(q, w, c, length)
            acceleration_adj(q, &adj_q, w, &adj_w, c, &adj_c, length, &adj_length_sum, adj_w1);
            // 16:  double q1 = w
            adj_w += adj_q1;
        }

        // 14:  c = damping[i]
        adj_damping[i] += adj_c;
        // 14:  w = omega[i]
        adj_omega[i] = adj_w;
        // 14:  double q = theta[i]
        adj_theta[i] = adj_q;
    }
    block_add(adj_length, adj_length_sum);
}
