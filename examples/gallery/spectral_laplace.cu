// Spectral elements: the stiffness operator on quadrilaterals, by sum factorisation, one element per block.
// After M. Deville, P. Fischer and E. Mund, "High-Order Methods for Incompressible Fluid Flow", chapter 4;
// in the style of the Nek/libParanumal kernels.

// s2sad: --of result --wrt q,geo
template <int NQ>
__global__ void laplace(const float *__restrict__ q, const float *__restrict__ geo,  // G00, G01, G11 at each point
                        const float *__restrict__ d,                                 // derivative matrix, NQ x NQ
                        float *__restrict__ result, float lambda)
{
    __shared__ float s_q[NQ][NQ], s_d[NQ][NQ];
    __shared__ float s_gr[NQ][NQ], s_gs[NQ][NQ];
    const int i = threadIdx.x, j = threadIdx.y;
    const int e = blockIdx.x;
    const int point = (e * NQ + j) * NQ + i;

    s_d[j][i] = d[j * NQ + i];
    s_q[j][i] = q[point];
    __syncthreads();

    float qr = 0.0f, qs = 0.0f;
#pragma unroll
    for (int m = 0; m < NQ; ++m) {
        qr += s_d[i][m] * s_q[j][m];
        qs += s_d[j][m] * s_q[m][i];
    }
    const float *g = geo + (e * 3) * NQ * NQ + j * NQ + i;
    const float g00 = g[0], g01 = g[NQ * NQ], g11 = g[2 * NQ * NQ];
    s_gr[j][i] = g00 * qr + g01 * qs;
    s_gs[j][i] = g01 * qr + g11 * qs;
    __syncthreads();

    float sum = lambda * g00 * s_q[j][i];
#pragma unroll
    for (int m = 0; m < NQ; ++m) {
        sum += s_d[m][i] * s_gr[j][m];
        sum += s_d[m][j] * s_gs[m][i];
    }
    result[point] = sum;
}

void apply(const float *q, const float *geo, const float *d, float *result, float lambda, int elements)
{
    laplace<5><<<elements, dim3(5, 5)>>>(q, geo, d, result, lambda);
}
