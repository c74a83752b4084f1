// Euler's equations by discontinuous Galerkin: the volume terms of an element of NQ points in each direction.
// A block is one element, its NQ x NQ threads are a layer's points; each goes through the NQ layers.
// After L. Wilcox et al., "A high-order discontinuous Galerkin method" (2010), and its Julia port ClimateMachine.
#define NQ 5
#define STATES 5
#define GRAVITY 9.81f

enum Geometry { XI_X, ETA_X, ZETA_X, XI_Y, ETA_Y, ZETA_Y, XI_Z, ETA_Z, ZETA_Z, MJ, MJI, Z, GEOMETRY };

// s2sad: --of rhs --wrt Q,vgeo,D
extern "C" __global__ void volumerhs(float *__restrict__ rhs, const float *__restrict__ Q,
                                     const float *__restrict__ vgeo, const float *__restrict__ D, int elements)
{
    __shared__ float s_D[NQ][NQ];
    __shared__ float s_F[STATES][NQ][NQ], s_G[STATES][NQ][NQ];
    const int i = threadIdx.x, j = threadIdx.y, element = blockIdx.x;
    float r[STATES][NQ];
    for (int s = 0; s < STATES; ++s)
        for (int k = 0; k < NQ; ++k)
            r[s][k] = 0.0f;
    s_D[j][i] = D[j * NQ + i];

    for (int k = 0; k < NQ; ++k) {
        __syncthreads();
        const int point = (k * NQ + j) * NQ + i;
        const float *geo = vgeo + element * GEOMETRY * NQ * NQ * NQ + point;
        const float *q = Q + element * STATES * NQ * NQ * NQ + point;
        const float mj = geo[MJ * NQ * NQ * NQ], height = geo[Z * NQ * NQ * NQ];
        const float rho = q[0], u = q[NQ * NQ * NQ], v = q[2 * NQ * NQ * NQ], w = q[3 * NQ * NQ * NQ];
        const float energy = q[4 * NQ * NQ * NQ];
        const float p = 0.4f * (energy - (u * u + v * v + w * w) / (2.0f * rho) - rho * GRAVITY * height);

        const float inverse = 1.0f / rho;
        const float fx[STATES] = {u, u * inverse * u + p, u * inverse * v, u * inverse * w, u * inverse * (energy + p)};
        const float fy[STATES] = {v, v * inverse * u, v * inverse * v + p, v * inverse * w, v * inverse * (energy + p)};
        const float fz[STATES] = {w, w * inverse * u, w * inverse * v, w * inverse * w + p, w * inverse * (energy + p)};
        for (int s = 0; s < STATES; ++s) {
            s_F[s][j][i] = mj * (geo[XI_X * NQ * NQ * NQ] * fx[s] + geo[XI_Y * NQ * NQ * NQ] * fy[s]
                                 + geo[XI_Z * NQ * NQ * NQ] * fz[s]);
            s_G[s][j][i] = mj * (geo[ETA_X * NQ * NQ * NQ] * fx[s] + geo[ETA_Y * NQ * NQ * NQ] * fy[s]
                                 + geo[ETA_Z * NQ * NQ * NQ] * fz[s]);
            const float h = mj * (geo[ZETA_X * NQ * NQ * NQ] * fx[s] + geo[ZETA_Y * NQ * NQ * NQ] * fy[s]
                                  + geo[ZETA_Z * NQ * NQ * NQ] * fz[s]);
            for (int n = 0; n < NQ; ++n)
                r[s][n] += s_D[k][n] * h;
        }
        r[3][k] -= mj * rho * GRAVITY;
        __syncthreads();
        for (int s = 0; s < STATES; ++s)
            for (int n = 0; n < NQ; ++n)
                r[s][k] += s_D[n][i] * s_F[s][j][n] + s_D[n][j] * s_G[s][n][i];
    }

    for (int k = 0; k < NQ; ++k) {
        const int point = (k * NQ + j) * NQ + i;
        const float mji = vgeo[(element * GEOMETRY + MJI) * NQ * NQ * NQ + point];
        for (int s = 0; s < STATES; ++s)
            rhs[(element * STATES + s) * NQ * NQ * NQ + point] += mji * r[s][k];
    }
}
