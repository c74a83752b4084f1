// lbm_d2q9_adj: adjoint of lbm_d2q9 (lbm_d2q9.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lbm_d2q9.cu --of out --wrt in,omega
//
// Call with in as it was before lbm_d2q9. Seed adj_out with dJ/dout: it is left alone,
// because lbm_d2q9 stores each element of out at most once. dJ/din is added to adj_in;
// dJ/domega is added to adj_omega. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   from_x, from_y, eu,     recomputed            from values at hand, in the reversed
//                                                 iteration
//   equilibrium
//   OPPOSITE[..], EX[..],   reloaded              nothing stores to it
//   EY[..], WEIGHT[..]
//   ux (line 28)            tape_ux, a register   line 33 overwrites it
//   uy (line 28)            tape_uy, a register   line 34 overwrites it
//   rho, ux (line 33),      reloaded              still in its variable
//   uy (line 34), square
//   f[..]                   reloaded              no later store goes to it
//
// How adjoints are added up:
//   adj_in[..]   atomicAdd           not proved that two threads never meet in
//                                    in[(OPPOSITE[q] * ny + y) * nx + x] and in[(q * ny
//                                    + from_y) * nx + from_x]
//   adj_omega    reduced per block   every thread has its share in it
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

static __constant__ int EX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static __constant__ int EY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static __constant__ int OPPOSITE[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static __constant__ double WEIGHT[9] = {4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0,
                                 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    int threads = blockDim.x * blockDim.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (thread + d < threads)  // the last warp may be short
            value += above;
    }
    if (thread % 32 == 0)
        sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0) {
        for (int warp = 1; 32 * warp < threads; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void lbm_d2q9_adj(const double *in, double *adj_in,
                                        double *out, const double *adj_out,
                                        double omega, double *adj_omega, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    double adj_omega_sum = 0.0;
    if (x < nx && y < ny) {
        // ---- forward sweep ------------------------------------------------------

        double f[9];
        for (int q = 0; q < 9; ++q) {
            int from_x = (x - EX[q] + nx) % nx;
            int from_y = y - EY[q];
            if (from_y < 0 || from_y >= ny)
                f[q] = in[(OPPOSITE[q] * ny + y) * nx + x];
            else
                f[q] = in[(q * ny + from_y) * nx + from_x];
        }

        double rho = 0.0;
        double ux = 0.0;
        double uy = 0.0;
        for (int q = 0; q < 9; ++q) {
            rho += f[q];
            ux += f[q] * EX[q];
            uy += f[q] * EY[q];
        }
        double tape_ux = ux;
        double tape_uy = uy;
        ux /= rho;
        uy /= rho;

        double square = 1.5 * (ux * ux + uy * uy);

        // ---- reverse sweep ------------------------------------------------------

        double adj_uy = 0.0;
        double adj_ux = 0.0;
        double adj_square = 0.0;
        double adj_rho = 0.0;
        double adj_f[9] = {};
        for (int q = 0; q < 9; ++q) {
            double eu = 3.0 * (EX[q] * ux + EY[q] * uy);
            double equilibrium = WEIGHT[q] * rho * (1.0 + eu + 0.5 * eu * eu - square);

            // 40:  out[(q * ny + y) * nx + x] = f[q] - omega * (f[q] - equilibrium)
            double g = adj_out[(q * ny + y) * nx + x];
            adj_f[q] += g;
            adj_omega_sum -= (f[q] - equilibrium) * g;
            double g_2 = -(omega * g);
            adj_f[q] += g_2;
            double adj_equilibrium = -g_2;

            // 39:  double equilibrium = WEIGHT[q] * rho * (1.0 + eu + 0.5 * eu * eu - square)
            adj_rho += (1.0 + eu + 0.5 * eu * eu - square) * WEIGHT[q] * adj_equilibrium;
            double g_3 = WEIGHT[q] * rho * adj_equilibrium;
            adj_square -= g_3;

            // 38:  double eu = 3.0 * (EX[q] * ux + EY[q] * uy)
            double g_4 = 3.0 * (g_3 + eu * g_3);
            adj_ux += EX[q] * g_4;
            adj_uy += EY[q] * g_4;
        }

        // 36:  double square = 1.5 * (ux * ux + uy * uy)
        double g = 1.5 * adj_square;
        adj_ux += 2.0 * ux * g;
        adj_uy += 2.0 * uy * g;

        // 34:  uy /= rho
        double g_2 = adj_uy / rho;
        adj_rho -= tape_uy * g_2 / rho;
        adj_uy = g_2;

        // 33:  ux /= rho
        double g_3 = adj_ux / rho;
        adj_rho -= tape_ux * g_3 / rho;
        adj_ux = g_3;
        for (int q = 0; q < 9; ++q) {
            // 31:  uy += f[q] * EY[q]
            adj_f[q] += EY[q] * adj_uy;
            // 30:  ux += f[q] * EX[q]
            adj_f[q] += EX[q] * adj_ux;
            // 29:  rho += f[q]
            adj_f[q] += adj_rho;
        }
        for (int q = 8; q >= 0; --q) {
            int from_x = (x - EX[q] + nx) % nx;
            int from_y = y - EY[q];
            if (from_y < 0 || from_y >= ny) {
                // 22:  f[q] = in[(OPPOSITE[q] * ny + y) * nx + x]
                atomicAdd(&adj_in[(OPPOSITE[q] * ny + y) * nx + x], adj_f[q]);
            } else {
                // 24:  f[q] = in[(q * ny + from_y) * nx + from_x]
                atomicAdd(&adj_in[(q * ny + from_y) * nx + from_x], adj_f[q]);
            }
        }
    }
    block_add(adj_omega, adj_omega_sum);
}
