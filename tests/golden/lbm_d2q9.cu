// s2sad: --of out --wrt in,omega
// Lattice Boltzmann, D2Q9: pull the nine populations from the neighbours, then relax them
// towards equilibrium. Periodic in x, walls above and below that bounce back.
__constant__ int EX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int EY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int OPPOSITE[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ double WEIGHT[9] = {4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0,
                                 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0};

extern "C" __global__ void lbm_d2q9(const double *in, double *out, double omega, int nx, int ny)
{
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

    double rho = 0.0, ux = 0.0, uy = 0.0;
    for (int q = 0; q < 9; ++q) {
        rho += f[q];
        ux += f[q] * EX[q];
        uy += f[q] * EY[q];
    }
    ux /= rho;
    uy /= rho;

    double square = 1.5 * (ux * ux + uy * uy);
    for (int q = 0; q < 9; ++q) {
        double eu = 3.0 * (EX[q] * ux + EY[q] * uy);
        double equilibrium = WEIGHT[q] * rho * (1.0 + eu + 0.5 * eu * eu - square);
        out[(q * ny + y) * nx + x] = f[q] - omega * (f[q] - equilibrium);
    }
}
