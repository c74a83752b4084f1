// lbm_d2q9_adj: adjoint of lbm_d2q9 (lbm_d2q9.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform lbm_d2q9.cu --of out --wrt in,omega --mode split
//
// First launch lbm_d2q9_fwd, with the same grid, block and tape: it does what lbm_d2q9
// does, and records. Call with in as it was before lbm_d2q9. Seed adj_out with dJ/dout:
// it is left alone, because lbm_d2q9 stores each element of out at most once. dJ/din is
// added to adj_in; dJ/domega is added to adj_omega. out is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x, y, ux (line 33),     recomputed                from values at hand
//   uy (line 34), square
//   from_x, from_y, eu,     recomputed                from values at hand, in the
//                                                     reversed iteration
//   equilibrium
//   OPPOSITE[..], EX[..],   reloaded                  nothing stores to it
//   EY[..], WEIGHT[..]
//   rho                     tape_rho, global memory   a loop computed it, and only the
//                                                     forward kernel runs that
//   ux (line 28)            tape_ux, global memory    a loop computed it, and only the
//                                                     forward kernel runs that
//   uy (line 28)            tape_uy, global memory    a loop computed it, and only the
//                                                     forward kernel runs that
//   f[..]                   reloaded                  no later store goes to it
//
// How adjoints are added up:
//   adj_in[..]   atomicAdd           not proved that two threads never meet in
//                                    in[(OPPOSITE[q] * ny + y) * nx + x] and in[(q * ny
//                                    + from_y) * nx + from_x]
//   adj_omega    reduced per block   every thread has its share in it
//
// Extra memory: a tape of sizeof(double) bytes (tape_rho) and sizeof(double) bytes
// (tape_ux) and sizeof(double) bytes (tape_uy) per thread, in global memory;
// lbm_d2q9_adj_tape_bytes(grid, block, omega, nx, ny) says how many in all.
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

#ifndef __CUDACC_RTC__
// The bytes of tape that a launch needs: 16 for the overrun flag, then what each thread records.
extern "C" size_t lbm_d2q9_adj_tape_bytes(dim3 grid, dim3 block, double omega, int nx, int ny)
{
    size_t threads = (size_t)grid.x * grid.y * grid.z * block.x * block.y * block.z;
    size_t bytes = 16;
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_rho
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_ux
    bytes += (threads * 1 * sizeof(double) + 15) / 16 * 16;  // tape_uy
    return bytes;
}
#endif

extern "C" __global__ void lbm_d2q9_fwd(const double *in, double *out, double omega, int nx, int ny,
                                        char *tape)
{
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    size_t at = 16;
    double *tape_rho = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_ux = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_uy = (double *)(tape + at) + thread;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;

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
    *tape_rho = rho;
    *tape_ux = ux;
    *tape_uy = uy;
    ux /= rho;
    uy /= rho;

    double square = 1.5 * (ux * ux + uy * uy);
    for (int q = 0; q < 9; ++q) {
        double eu = 3.0 * (EX[q] * ux + EY[q] * uy);
        double equilibrium = WEIGHT[q] * rho * (1.0 + eu + 0.5 * eu * eu - square);
        out[(q * ny + y) * nx + x] = f[q] - omega * (f[q] - equilibrium);
    }
}

extern "C" __global__ void lbm_d2q9_adj(const double *in, double *adj_in,
                                        double *out, const double *adj_out,
                                        double omega, double *adj_omega, int nx, int ny, char *tape)
{
    size_t threads = (size_t)gridDim.x * gridDim.y * gridDim.z
                     * ((size_t)blockDim.x * blockDim.y * blockDim.z);
    size_t thread = (((((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)
                      * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x
                    + threadIdx.x;
    size_t at = 16;
    double *tape_rho = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_ux = (double *)(tape + at) + thread;
    at += (threads * sizeof(double) + 15) / 16 * 16;
    double *tape_uy = (double *)(tape + at) + thread;
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

        double ux;
        double uy;
        ux = *tape_ux / *tape_rho;
        uy = *tape_uy / *tape_rho;

        double square = 1.5 * (ux * ux + uy * uy);

        // ---- reverse sweep ------------------------------------------------------

        double adj_uy = 0.0;
        double adj_ux = 0.0;
        double adj_square = 0.0;
        double adj_rho = 0.0;
        double adj_f[9] = {};
        for (int q = 0; q < 9; ++q) {
            double eu = 3.0 * (EX[q] * ux + EY[q] * uy);
            double equilibrium = WEIGHT[q] * *tape_rho * (1.0 + eu + 0.5 * eu * eu - square);

            // 40:  out[(q * ny + y) * nx + x] = f[q] - omega * (f[q] - equilibrium)
            double g = adj_out[(q * ny + y) * nx + x];
            adj_f[q] += g;
            adj_omega_sum -= (f[q] - equilibrium) * g;
            double g_2 = -(omega * g);
            adj_f[q] += g_2;
            double adj_equilibrium = -g_2;

            // 39:  double equilibrium = WEIGHT[q] * rho * (1.0 + eu + 0.5 * eu * eu - square)
            adj_rho += (1.0 + eu + 0.5 * eu * eu - square) * WEIGHT[q] * adj_equilibrium;
            double g_3 = WEIGHT[q] * *tape_rho * adj_equilibrium;
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
        double g_2 = adj_uy / *tape_rho;
        adj_rho -= *tape_uy * g_2 / *tape_rho;
        adj_uy = g_2;

        // 33:  ux /= rho
        double g_3 = adj_ux / *tape_rho;
        adj_rho -= *tape_ux * g_3 / *tape_rho;
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
