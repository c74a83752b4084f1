// carried_arrays_adj: adjoint of carried_arrays (carried_arrays.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform carried_arrays.cu --of y,steps --wrt x,c
//
// Call with x and c as they were before carried_arrays. Seed adj_y with dJ/dy: it is
// left alone, because carried_arrays stores each element of y at most once. Seed
// adj_steps with dJ/dsteps: it is left alone, because carried_arrays stores each
// element of steps at most once. dJ/dx is added to adj_x; dJ/dc is added to adj_c. y
// and steps are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c[..], x[..]          reloaded                             nothing stores to it
//   w[2]                  tape_w, a register                   line 16 overwrites it
//   before, v (line 13)   reloaded                             still in its variable
//   v (line 13)           snapshot_v[16], local memory         line 14 changes it in
//                                                              each iteration, and
//                                                              nothing bounds their
//                                                              number
//   at (line 13)          snapshot_at[16], local memory        line 19 changes it in
//                                                              each iteration, and
//                                                              nothing bounds their
//                                                              number
//   count                 inverted                             each iteration adds 1
//   trips of line 13      trips, a register                    the loop decides in its
//                                                              iterations when it ends
//   w[..] (line 13)       snapshot_w[16][3], local memory      line 16 or 18 changes it
//                                                              in each iteration, and
//                                                              nothing bounds their
//                                                              number
//   u[..] (line 13)       snapshot_u[16][2][2], local memory   line 20 changes it in
//                                                              each iteration, and
//                                                              nothing bounds their
//                                                              number
//   v (line 14),          recomputed                           from values at hand, in
//                                                              the reversed iteration
//   at (line 19)
//   w[(at + 1) % 3]       tape_w_2, a register                 line 16 overwrites it
//   w[at]                 tape_w_3, a register                 line 16 overwrites it
//   u[..] (line 18),      reloaded                             no later store goes to
//                                                              it
//   w[..] (line 20)
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_c[..]   reduced per block   every thread reads c[1]
//   adj_c[..]   atomicAdd           other threads add to c[at] too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, a condition on
// floating values may be decided twice, and a near-tie either way.

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

extern "C" __global__ void carried_arrays_adj(const double *x, double *adj_x,
                                              const double *c, double *adj_c,
                                              double *y, const double *adj_y,
                                              double *steps, const double *adj_steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_c_1 = 0.0;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double v = x[i];
        double w[3] = {1.0, 0.5, x[i]};
        double u[2][2];
        u[1][1] = 1.0;
        u[0][0] = u[1][1];
        u[0][1] = 0.2;
        u[1][0] = x[i] * c[1];
        double tape_w = w[2];
        double before = w[2] * w[2] + u[1][0];
        int at = i % 3;
        int count = 0;
        int trips = 0;
        double snapshot_v[16];
        int snapshot_at[16];
        double snapshot_w[16][3];
        double snapshot_u[16][2][2];
        int stride = 1;
        while (v > 0.1) {
            if (trips % stride == 0) {
                if (trips == 16 * stride) {
                    for (int j = 1; j < 8; ++j) {
                        snapshot_v[j] = snapshot_v[2 * j];
                        snapshot_at[j] = snapshot_at[2 * j];
                        for (int q = 0; q < 3; ++q)
                            snapshot_w[j][q] = snapshot_w[2 * j][q];
                        for (int q = 0; q < 2; ++q)
                            for (int q_2 = 0; q_2 < 2; ++q_2)
                                snapshot_u[j][q][q_2] = snapshot_u[2 * j][q][q_2];
                    }
                    stride *= 2;
                }
                snapshot_v[trips / stride] = v;
                snapshot_at[trips / stride] = at;
                for (int q = 0; q < 3; ++q)
                    snapshot_w[trips / stride][q] = w[q];
                for (int q = 0; q < 2; ++q)
                    for (int q_2 = 0; q_2 < 2; ++q_2)
                        snapshot_u[trips / stride][q][q_2] = u[q][q_2];
            }
            v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w[at];
            if (v < w[(at + 1) % 3])
                w[at] = w[at] * (0.97 + 0.01 * v);
            else
                w[at] += 0.01 * v * v * u[at % 2][count % 2];
            at = (at + 1 + count % 2) % 3;
            u[count % 2][at % 2] *= 0.99 * cos(w[at]);
            ++count;
            ++trips;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 24:  steps[i] = count * x[i]
        adj_x[i] += count * adj_steps[i];
        double adj_u[2][2] = {};
        double adj_w[3] = {};

        // 23:  y[i] = v * w[at] + w[0] * u[0][0] + u[1][1] * before
        double g = adj_y[i];
        double adj_v = w[at] * g;
        adj_w[at] += v * g;
        adj_w[0] += u[0][0] * g;
        adj_u[0][0] += w[0] * g;
        adj_u[1][1] += before * g;
        double adj_before = u[1][1] * g;
        for (int trip = trips - 1; trip >= 0; --trip) {
            double v = snapshot_v[trip / stride];
            int at = snapshot_at[trip / stride];
            for (int q = 0; q < 3; ++q)
                w[q] = snapshot_w[trip / stride][q];
            for (int q = 0; q < 2; ++q)
                for (int q_2 = 0; q_2 < 2; ++q_2)
                    u[q][q_2] = snapshot_u[trip / stride][q][q_2];
            for (int r = trip / stride * stride; r < trip; ++r) {
                v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w[at];
                if (v < w[(at + 1) % 3])
                    w[at] = w[at] * (0.97 + 0.01 * v);
                else
                    w[at] += 0.01 * v * v * u[at % 2][r % 2];
                at = (at + 1 + r % 2) % 3;
                u[r % 2][at % 2] *= 0.99 * cos(w[at]);
            }
            double v_2 = v * (1.0 - 0.02 * c[at]) - 0.0005 * w[at];
            double tape_w_3;
            double tape_w_2 = w[(at + 1) % 3];
            if (v_2 < w[(at + 1) % 3]) {
                tape_w_3 = w[at];
                w[at] = w[at] * (0.97 + 0.01 * v_2);
            } else {
                w[at] += 0.01 * v_2 * v_2 * u[at % 2][trip % 2];
            }
            int at_2 = (at + 1 + trip % 2) % 3;

            // 20:  u[count % 2][at % 2] *= 0.99 * cos(w[at])
            double sine;
            double cosine;
            sincos(w[at_2], &sine, &cosine);
            adj_w[at_2] -= 0.99 * u[trip % 2][at_2 % 2] * sine * adj_u[trip % 2][at_2 % 2];
            adj_u[trip % 2][at_2 % 2] *= 0.99 * cosine;
            if (v_2 < tape_w_2) {
                // 16:  w[at] = w[at] * (0.97 + 0.01 * v)
                adj_v += 0.01 * tape_w_3 * adj_w[at];
                adj_w[at] *= 0.97 + 0.01 * v_2;
            } else {
                // 18:  w[at] += 0.01 * v * v * u[at % 2][count % 2]
                double g = adj_w[at];
                adj_v += 0.02 * v_2 * u[at % 2][trip % 2] * g;
                adj_u[at % 2][trip % 2] += 0.01 * v_2 * v_2 * g;
            }

            // 14:  v = v * (1.0 - 0.02 * c[at]) - 0.0005 * w[at]
            atomicAdd(&adj_c[at], -0.02 * v * adj_v);
            adj_w[at] -= 0.0005 * adj_v;
            adj_v *= 1.0 - 0.02 * c[at];
        }

        // 8:  double v = x[i]
        adj_x[i] += adj_v;

        // 11:  double before = w[2] * w[2] + u[1][0]
        adj_w[2] += 2.0 * tape_w * adj_before;
        adj_u[1][0] += adj_before;

        // 8:  w[3] = {1.0, 0.5, x[i]}
        adj_x[i] += adj_w[2];

        // 10:  u[1][0] = x[i] * c[1]
        double g_2 = adj_u[1][0];
        adj_x[i] += c[1] * g_2;
        adj_c_1 = x[i] * g_2;

        // 10:  u[0][0] = u[1][1] = 1.0
        adj_u[1][1] += adj_u[0][0];
    }
    block_add(&adj_c[1], adj_c_1);
}
