// One step of a D2Q9 lattice-Boltzmann fluid on a periodic nx x ny grid: each cell pulls its nine
// populations from its neighbours and relaxes them. f[q * nx * ny + y * nx + x]; the directions are
// 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8 SE.
// As hand/lbm.cu, with an index instead of a local pointer to the cell.
extern "C" __global__ void lbm(const float *__restrict__ f, float *__restrict__ g, int nx, int ny,
                               float omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int cells = nx * ny;
    int west = x > 0 ? x - 1 : nx - 1, east = x < nx - 1 ? x + 1 : 0;
    int row = y * nx, south = (y > 0 ? y - 1 : ny - 1) * nx, north = (y < ny - 1 ? y + 1 : 0) * nx;

    float f0 = f[row + x];
    float f1 = f[1 * cells + row + west];
    float f2 = f[2 * cells + south + x];
    float f3 = f[3 * cells + row + east];
    float f4 = f[4 * cells + north + x];
    float f5 = f[5 * cells + south + west];
    float f6 = f[6 * cells + south + east];
    float f7 = f[7 * cells + north + east];
    float f8 = f[8 * cells + north + west];

    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float inv = 1.0f / rho;
    float ux = (f1 + f5 + f8 - f3 - f6 - f7) * inv;
    float uy = (f2 + f5 + f6 - f4 - f7 - f8) * inv;

    float keep = 1.0f - omega;
    float base = 1.0f - 1.5f * (ux * ux + uy * uy);
    float rest = omega * rho * (4.0f / 9.0f), side = omega * rho * (1.0f / 9.0f);
    float diag = omega * rho * (1.0f / 36.0f);
    float up = ux + uy, down = ux - uy;
    int o = row + x;
    g[o] = keep * f0 + rest * base;
    g[1 * cells + o] = keep * f1 + side * (base + 3.0f * ux + 4.5f * ux * ux);
    g[2 * cells + o] = keep * f2 + side * (base + 3.0f * uy + 4.5f * uy * uy);
    g[3 * cells + o] = keep * f3 + side * (base - 3.0f * ux + 4.5f * ux * ux);
    g[4 * cells + o] = keep * f4 + side * (base - 3.0f * uy + 4.5f * uy * uy);
    g[5 * cells + o] = keep * f5 + diag * (base + 3.0f * up + 4.5f * up * up);
    g[6 * cells + o] = keep * f6 + diag * (base - 3.0f * down + 4.5f * down * down);
    g[7 * cells + o] = keep * f7 + diag * (base - 3.0f * up + 4.5f * up * up);
    g[8 * cells + o] = keep * f8 + diag * (base + 3.0f * down + 4.5f * down * down);
}
