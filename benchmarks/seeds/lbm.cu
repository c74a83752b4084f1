// One step of a D3Q19 lattice-Boltzmann fluid on a periodic grid: the populations of a cell collide, or turn
// round in an obstacle, and move to the neighbours. A thread is one cell; blocks are rows in x.
// After the SPEC benchmark lbm. Populations are 19 planes of nx * ny * nz numbers: centre; north, south, east,
// west, top, bottom; NE, NW, SE, SW; NT, NB, ST, SB; ET, EB, WT, WB.
#define OBSTACLE 1
#define ACCELERATED 2

__device__ float relaxed(float f, float omega, float weighted, float s, float u2)
{
    return (1.0f - omega) * f + omega * weighted * (s * (4.5f * s + 3.0f) - u2);
}

// s2sad: --of target --wrt source
extern "C" __global__ void lbm(const float *__restrict__ source, const int *__restrict__ flags,
                               float *__restrict__ target, int nx, int ny, int nz, float omega)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    const int cells = nx * ny * nz, cell = (z * ny + y) * nx + x;
    const int east = x < nx - 1 ? x + 1 : 0, west = x > 0 ? x - 1 : nx - 1;
    const int north = y < ny - 1 ? y + 1 : 0, south = y > 0 ? y - 1 : ny - 1;
    const int top = z < nz - 1 ? z + 1 : 0, bottom = z > 0 ? z - 1 : nz - 1;
    const float fC = source[cell];
    const float fN = source[cells + cell];
    const float fS = source[2 * cells + cell];
    const float fE = source[3 * cells + cell];
    const float fW = source[4 * cells + cell];
    const float fT = source[5 * cells + cell];
    const float fB = source[6 * cells + cell];
    const float fNE = source[7 * cells + cell];
    const float fNW = source[8 * cells + cell];
    const float fSE = source[9 * cells + cell];
    const float fSW = source[10 * cells + cell];
    const float fNT = source[11 * cells + cell];
    const float fNB = source[12 * cells + cell];
    const float fST = source[13 * cells + cell];
    const float fSB = source[14 * cells + cell];
    const float fET = source[15 * cells + cell];
    const float fEB = source[16 * cells + cell];
    const float fWT = source[17 * cells + cell];
    const float fWB = source[18 * cells + cell];

    if (flags[cell] & OBSTACLE) {
        target[(z * ny + y) * nx + x] = fC;
        target[cells + (z * ny + north) * nx + x] = fS;
        target[2 * cells + (z * ny + south) * nx + x] = fN;
        target[3 * cells + (z * ny + y) * nx + east] = fW;
        target[4 * cells + (z * ny + y) * nx + west] = fE;
        target[5 * cells + (top * ny + y) * nx + x] = fB;
        target[6 * cells + (bottom * ny + y) * nx + x] = fT;
        target[7 * cells + (z * ny + north) * nx + east] = fSW;
        target[8 * cells + (z * ny + north) * nx + west] = fSE;
        target[9 * cells + (z * ny + south) * nx + east] = fNW;
        target[10 * cells + (z * ny + south) * nx + west] = fNE;
        target[11 * cells + (top * ny + north) * nx + x] = fSB;
        target[12 * cells + (bottom * ny + north) * nx + x] = fST;
        target[13 * cells + (top * ny + south) * nx + x] = fNB;
        target[14 * cells + (bottom * ny + south) * nx + x] = fNT;
        target[15 * cells + (top * ny + y) * nx + east] = fWB;
        target[16 * cells + (bottom * ny + y) * nx + east] = fWT;
        target[17 * cells + (top * ny + y) * nx + west] = fEB;
        target[18 * cells + (bottom * ny + y) * nx + west] = fET;
        return;
    }

    const float rho = fC + fN + fS + fE + fW + fT + fB + fNE + fNW + fSE
                      + fSW + fNT + fNB + fST + fSB + fET + fEB + fWT + fWB;
    float ux = (fE + fNE + fSE + fET + fEB - fW - fNW - fSW - fWT - fWB) / rho;
    float uy = (fN + fNE + fNW + fNT + fNB - fS - fSE - fSW - fST - fSB) / rho;
    float uz = (fT + fNT + fST + fET + fWT - fB - fNB - fSB - fEB - fWB) / rho;
    if (flags[cell] & ACCELERATED) {
        ux = 0.005f;
        uy = 0.002f;
        uz = 0.0f;
    }
    const float u2 = 1.5f * (ux * ux + uy * uy + uz * uz) - 1.0f;
    const float rest = rho * (1.0f / 3.0f), straight = rho * (1.0f / 18.0f), diagonal = rho * (1.0f / 36.0f);
    target[(z * ny + y) * nx + x] = relaxed(fC, omega, rest, 0.0f, u2);
    target[cells + (z * ny + north) * nx + x] = relaxed(fN, omega, straight, uy, u2);
    target[2 * cells + (z * ny + south) * nx + x] = relaxed(fS, omega, straight, -uy, u2);
    target[3 * cells + (z * ny + y) * nx + east] = relaxed(fE, omega, straight, ux, u2);
    target[4 * cells + (z * ny + y) * nx + west] = relaxed(fW, omega, straight, -ux, u2);
    target[5 * cells + (top * ny + y) * nx + x] = relaxed(fT, omega, straight, uz, u2);
    target[6 * cells + (bottom * ny + y) * nx + x] = relaxed(fB, omega, straight, -uz, u2);
    target[7 * cells + (z * ny + north) * nx + east] = relaxed(fNE, omega, diagonal, ux + uy, u2);
    target[8 * cells + (z * ny + north) * nx + west] = relaxed(fNW, omega, diagonal, -ux + uy, u2);
    target[9 * cells + (z * ny + south) * nx + east] = relaxed(fSE, omega, diagonal, ux - uy, u2);
    target[10 * cells + (z * ny + south) * nx + west] = relaxed(fSW, omega, diagonal, -ux - uy, u2);
    target[11 * cells + (top * ny + north) * nx + x] = relaxed(fNT, omega, diagonal, uy + uz, u2);
    target[12 * cells + (bottom * ny + north) * nx + x] = relaxed(fNB, omega, diagonal, uy - uz, u2);
    target[13 * cells + (top * ny + south) * nx + x] = relaxed(fST, omega, diagonal, -uy + uz, u2);
    target[14 * cells + (bottom * ny + south) * nx + x] = relaxed(fSB, omega, diagonal, -uy - uz, u2);
    target[15 * cells + (top * ny + y) * nx + east] = relaxed(fET, omega, diagonal, ux + uz, u2);
    target[16 * cells + (bottom * ny + y) * nx + east] = relaxed(fEB, omega, diagonal, ux - uz, u2);
    target[17 * cells + (top * ny + y) * nx + west] = relaxed(fWT, omega, diagonal, -ux + uz, u2);
    target[18 * cells + (bottom * ny + y) * nx + west] = relaxed(fWB, omega, diagonal, -ux - uz, u2);
}
