// Shallow water: well-balanced flux at the faces of a channel, with dry cells, by hydrostatic reconstruction.
// After E. Audusse et al., "A fast and stable well-balanced scheme with hydrostatic reconstruction for shallow
// water flows", SIAM J. Sci. Comput. 25 (2004), and the HLL solver of Harten, Lax and van Leer (1983).
#include "vec.cuh"

struct Params {
    double g, dry;
};

template <typename real> __device__ __forceinline__ real velocity(real h, real q, real dry)
{
    return h > dry ? q / h : real(0);
}

template <typename real>
__device__ void hll(real hl, real ul, real hr, real ur, const Params &p, real *mass, real *momentum)
{
    const real cl = sqrt(p.g * hl), cr = sqrt(p.g * hr);
    const real sl = fmin(fmin(ul - cl, ur - cr), real(0));
    const real sr = fmax(fmax(ul + cl, ur + cr), real(0));
    if (sr - sl < p.dry) {
        *mass = *momentum = 0;
        return;
    }
    const real fl = hl * ul * ul + real(0.5) * p.g * hl * hl;
    const real fr = hr * ur * ur + real(0.5) * p.g * hr * hr;
    *mass = (sr * hl * ul - sl * hr * ur + sl * sr * (hr - hl)) / (sr - sl);
    *momentum = (sr * fl - sl * fr + sl * sr * (hr * ur - hl * ul)) / (sr - sl);
}

// s2sad: --of dh,dq --wrt h,q,z
// One thread per face: takes from the cell on its left, gives to the cell on its right.
template <typename real>
__global__ void face_fluxes(const real *h, const real *q, const real *z, real *dh, real *dq, Params p, int cells)
{
    const int face = blockIdx.x * blockDim.x + threadIdx.x;
    if (face >= cells - 1)
        return;
    const int l = face, r = face + 1;

    const real top = fmax(z[l], z[r]);
    const real hl = fmax(h[l] + z[l] - top, real(0));
    const real hr = fmax(h[r] + z[r] - top, real(0));
    real mass, momentum;
    hll(hl, velocity(h[l], q[l], p.dry), hr, velocity(h[r], q[r], p.dry), p, &mass, &momentum);

    atomicAdd(&dh[l], -mass);
    atomicAdd(&dh[r], mass);
    atomicAdd(&dq[l], -momentum - real(0.5) * p.g * (sq(h[l]) - sq(hl)));
    atomicAdd(&dq[r], momentum + real(0.5) * p.g * (sq(h[r]) - sq(hr)));
}

void launch(const double *h, const double *q, const double *z, double *dh, double *dq, int cells)
{
    const Params p = {9.81, 1e-8};
    face_fluxes<double><<<(cells + 127) / 128, 128>>>(h, q, z, dh, dq, p, cells);
}
