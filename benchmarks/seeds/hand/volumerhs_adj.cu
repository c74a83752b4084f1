// Adjoint of volumerhs. With m = (u, v, w), e = (1, u / rho, v / rho, w / rho, (energy + p) / rho), and the directions
// x, y, z and xi, eta, zeta numbered from 0, the flux of state s in direction d is
//   flux[d][s] = mj (geo[d] . m) e[s] + mj p geo[d][s - 1],   where only the momenta, s = 1 to 3, have the second term.
// Its adjoint is a sum over the row of NQ points in direction d,
//   adj_flux[d][s] = sum over n of D[place in the row][n] (mji adj_rhs[s]) of point n,
// and most of the flux's adjoint needs of it only rise[d] = e . adj_flux[d].
// For mji and D, `products` are the sums over s of the flux of one point times adj_rhs of another in the same row:
// times D they add up to the adjoint of mji, times mji to that of D.
#define NQ 5
#define STATES 5
#define GRAVITY 9.81f
#define LAYER (NQ * NQ)
#define POINTS (NQ * LAYER)

enum Geometry { MJ = 9, MJI, Z, GEOMETRY };  // before them geo[d][a] at 3 * a + d

extern "C" __global__ void __launch_bounds__(NQ * NQ, 24)
volumerhs_adj(float *__restrict__ rhs, float *__restrict__ adj_rhs, const float *__restrict__ Q,
              float *__restrict__ adj_Q, const float *__restrict__ vgeo, float *__restrict__ adj_vgeo,
              const float *__restrict__ D, float *__restrict__ adj_D, int elements)
{
    __shared__ float s_D[NQ][NQ];
    __shared__ float s_F[STATES][NQ][NQ], s_G[STATES][NQ][NQ], s_b[STATES][NQ][NQ];  // of a layer; b: mji adj_rhs
    __shared__ float s_H[NQ][NQ][NQ];                            // [n]: of a layer, products with layer n, times mji
    __shared__ float rows_D[NQ][NQ][NQ], columns_D[NQ][NQ][NQ];  // adj_D, to be summed over the last index
    const int i = threadIdx.x, j = threadIdx.y, first = j * NQ + i;
    Q += blockIdx.x * STATES * POINTS + first;
    adj_Q += blockIdx.x * STATES * POINTS + first;
    vgeo += blockIdx.x * GEOMETRY * POINTS + first;
    adj_vgeo += blockIdx.x * GEOMETRY * POINTS + first;
    adj_rhs += blockIdx.x * STATES * POINTS + first;

    float g[STATES][NQ], mji[NQ], adj_mji[NQ];  // g: adj_rhs of the thread's points
    for (int n = 0; n < NQ; ++n) {
        for (int s = 0; s < STATES; ++s)
            g[s][n] = adj_rhs[s * POINTS + n * LAYER];
        mji[n] = vgeo[MJI * POINTS + n * LAYER];
        adj_mji[n] = rows_D[n][i][j] = columns_D[n][j][i] = 0.0f;
    }
    s_D[j][i] = D[first];

#pragma unroll 1
    for (int k = 0; k < NQ; ++k) {
        const float *q = Q + k * LAYER, *geometry = vgeo + k * LAYER;
        float *adj_q = adj_Q + k * LAYER, *adj_geometry = adj_vgeo + k * LAYER;
        const float rho = q[0], energy = q[4 * POINTS], inverse = 1.0f / rho;
        const float m[3] = {q[POINTS], q[2 * POINTS], q[3 * POINTS]};
        const float potential = GRAVITY * geometry[Z * POINTS];
        const float kinetic = 0.5f * inverse * inverse * (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        const float p = 0.4f * (energy - rho * (kinetic + potential));
        const float e[STATES] = {1.0f, m[0] * inverse, m[1] * inverse, m[2] * inverse, (energy + p) * inverse};
        const float mj = geometry[MJ * POINTS], own_mji = geometry[MJI * POINTS];
        float geo[3][3], flow[3], flux[3][STATES];
        for (int d = 0; d < 3; ++d) {
            for (int a = 0; a < 3; ++a)
                geo[d][a] = geometry[(3 * a + d) * POINTS];
            flow[d] = mj * (geo[d][0] * m[0] + geo[d][1] * m[1] + geo[d][2] * m[2]);
            for (int s = 0; s < STATES; ++s)
                flux[d][s] = flow[d] * e[s];
            for (int a = 0; a < 3; ++a)
                flux[d][a + 1] += mj * p * geo[d][a];
        }

        __syncthreads();
        float adj_flux[3][STATES], own_g[STATES], products[NQ] = {}, scaled_D[NQ];
        for (int n = 0; n < NQ; ++n)
            scaled_D[n] = s_D[k][n] * mji[n];
        for (int s = 0; s < STATES; ++s) {
            own_g[s] = adj_rhs[s * POINTS + k * LAYER];
            s_F[s][j][i] = flux[0][s];
            s_G[s][j][i] = flux[1][s];
            s_b[s][j][i] = own_mji * own_g[s];
            adj_flux[2][s] = 0.0f;
            for (int n = 0; n < NQ; ++n) {
                products[n] += flux[2][s] * g[s][n];
                adj_flux[2][s] += scaled_D[n] * g[s][n];
            }
        }
        for (int n = 0; n < NQ; ++n) {
            adj_mji[n] += s_D[k][n] * products[n];
            s_H[n][j][i] = mji[n] * products[n];
        }
        __syncthreads();

        const float pull = GRAVITY * own_g[3];
        float own_adj_mji = -mj * rho * pull, sum_H = 0.0f;
        for (int n = 0; n < NQ; ++n) {
            float product_F = 0.0f, product_G = 0.0f;
            for (int s = 0; s < STATES; ++s) {
                product_F += s_F[s][j][n] * own_g[s];
                product_G += s_G[s][n][i] * own_g[s];
            }
            own_adj_mji += s_D[n][i] * product_F + s_D[n][j] * product_G;
            rows_D[n][i][j] += own_mji * product_F;
            columns_D[n][j][i] += own_mji * product_G;
            sum_H += s_H[i][j][n];
        }
        rows_D[k][i][j] += sum_H;
        for (int n = 0; n < NQ; ++n)
            adj_mji[n] += n == k ? own_adj_mji : 0.0f;

        for (int s = 0; s < STATES; ++s) {
            adj_flux[0][s] = adj_flux[1][s] = 0.0f;
            for (int n = 0; n < NQ; ++n) {
                adj_flux[0][s] += s_D[i][n] * s_b[s][j][n];
                adj_flux[1][s] += s_D[j][n] * s_b[s][n][i];
            }
        }

        float adj_e[STATES] = {}, adj_flow[3] = {}, adj_mp = 0.0f;  // adj_flow: without the factor mj
        for (int d = 0; d < 3; ++d) {
            float rise = adj_flux[d][0];
            for (int s = 1; s < STATES; ++s) {
                rise += e[s] * adj_flux[d][s];
                adj_e[s] += flow[d] * adj_flux[d][s];
            }
            for (int a = 0; a < 3; ++a) {
                adj_flow[a] += geo[d][a] * rise;
                adj_mp += geo[d][a] * adj_flux[d][a + 1];
                adj_geometry[(3 * a + d) * POINTS] += mj * (rho * rise * e[a + 1] + p * adj_flux[d][a + 1]);
            }
        }
        const float adj_p = 0.4f * (mj * adj_mp + inverse * adj_e[4]);  // 0.4: that of p
        float along = -own_mji * pull;
        float adj_rho = adj_p * (kinetic - potential) - own_mji * mj * pull - inverse * e[4] * adj_e[4];
        for (int a = 0; a < 3; ++a) {
            along += e[a + 1] * adj_flow[a];
            adj_rho -= inverse * e[a + 1] * adj_e[a + 1];
            adj_q[(a + 1) * POINTS] += mj * adj_flow[a] + inverse * adj_e[a + 1] - adj_p * e[a + 1];
        }
        adj_q[0] += adj_rho;
        adj_q[4 * POINTS] += adj_p + inverse * adj_e[4];
        adj_geometry[MJ * POINTS] += p * adj_mp + rho * along;
        adj_geometry[Z * POINTS] -= adj_p * rho * GRAVITY;
    }

    for (int n = 0; n < NQ; ++n)
        adj_vgeo[MJI * POINTS + n * LAYER] += adj_mji[n];
    __syncthreads();
    float sum = 0.0f;
    for (int n = 0; n < NQ; ++n)
        sum += rows_D[j][i][n] + columns_D[j][i][n];
    atomicAdd(&adj_D[first], sum);
}
