// Adjoint of gmm_terms. With Q a component's factor, y = point - mean and g the term's adjoint, all that the
// component needs of the points is three moments, so that no row of Q y is computed again:
//     s = sum of g,    f = sum of g y,    S = sum of g y y^T (symmetric);
//     adj_alpha and adj_sum_q += s,    adj_mu += Q^T Q f,    adj_Q -= Q S, on and below the diagonal.
// A block takes one component and POINTS points at a time, as many pairs as a block of 32 x 4 threads has in the
// primal. A thread sums an element of S or f, and then an element of the result, which is one atomic. S is done
// in tiles, for factors of any size, with f as a column after its last one: there y is 1.
#define POINTS 128
#define TILE 16

// Where the element (r, c) of a factor is, c < r, after the logarithms of the diagonal.
static __device__ __forceinline__ int below(int r, int c, int d)
{
    return c * (2 * d - c - 1) / 2 + r - c - 1;
}

extern "C" __global__ void gmm_terms_adj(const double *__restrict__ x, const double *__restrict__ alpha,
                                         double *__restrict__ adj_alpha, const double *__restrict__ mu,
                                         double *__restrict__ adj_mu, const double *__restrict__ icf,
                                         double *__restrict__ adj_icf, const double *__restrict__ scale,
                                         double *__restrict__ adj_scale, const double *__restrict__ sum_q,
                                         double *__restrict__ adj_sum_q, double *__restrict__ term,
                                         const double *__restrict__ adj_term, int n, int K, int d)
{
    __shared__ double g[POINTS], gy[POINTS][TILE + 1], y[POINTS][TILE + 1], S[TILE][TILE + 1], Qf[TILE];
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const int tasks = K * ((n + POINTS - 1) / POINTS);
    for (int task = blockIdx.y * gridDim.x + blockIdx.x; task < tasks; task += gridDim.x * gridDim.y) {
        const int k = task % K, begin = task / K * POINTS, count = min(POINTS, n - begin);
        const int first = k * (d * (d + 1) / 2) + d;
        const double *point = x + begin * d, *mean = mu + k * d, *diagonal = scale + k * d, *lower = icf + first;

        for (int p = thread; p < count; p += threads)
            g[p] = adj_term[(begin + p) * K + k];
        __syncthreads();
        if (thread == threads - 1) {
            double sum = 0.0;
            for (int p = 0; p < count; ++p)
                sum += g[p];
            atomicAdd(&adj_alpha[k], sum);
            atomicAdd(&adj_sum_q[k], sum);
        }

        for (int j0 = 0; j0 < d; j0 += TILE) {  // rows j of S
            const int rows = min(TILE, d - j0);
            for (int p = thread; p < count; p += threads)
                for (int j = 0; j < rows; ++j)
                    gy[p][j] = g[p] * (point[p * d + j0 + j] - mean[j0 + j]);
            for (int c0 = 0; c0 < d; c0 += TILE) {  // columns c of S; column d is f
                const bool last = c0 + TILE >= d;
                const int width = min(TILE, d - c0), columns = last ? width + 1 : width;
                for (int p = thread; p < count; p += threads) {
                    for (int c = 0; c < width; ++c)
                        y[p][c] = point[p * d + c0 + c] - mean[c0 + c];
                    if (last)
                        y[p][width] = 1.0;
                }
                __syncthreads();
                for (int e = thread; e < rows * columns; e += threads) {
                    const int j = e / columns, c = e % columns;
                    const bool mirrored = j0 == c0 && c < rows;
                    if (mirrored && j < c)
                        continue;
                    double sum = 0.0;
                    for (int p = 0; p < count; ++p)
                        sum += gy[p][j] * y[p][c];
                    S[j][c] = sum;
                    if (mirrored)
                        S[c][j] = sum;
                }
                __syncthreads();

                // what this tile adds to TILE rows r of Q S and Q f
                for (int r0 = j0; r0 < d; r0 += TILE) {
                    const int end = min(r0 + TILE, d);
                    for (int e = thread; e < (end - r0) * columns; e += threads) {
                        const int r = r0 + e / columns, c = c0 + e % columns;
                        if (r < c && c < d)
                            continue;
                        double sum = r0 == j0 ? diagonal[r] * S[r - j0][c - c0] : 0.0;
                        for (int j = j0; j < min(j0 + TILE, r); ++j)
                            sum += lower[below(r, j, d)] * S[j - j0][c - c0];
                        if (c == d)
                            Qf[r - r0] = sum;
                        else
                            atomicAdd(r == c ? &adj_scale[k * d + r] : &adj_icf[first + below(r, c, d)], -sum);
                    }
                    if (last) {
                        __syncthreads();
                        for (int c = thread; c < end; c += threads) {
                            double sum = c >= r0 ? diagonal[c] * Qf[c - r0] : 0.0;
                            for (int r = max(r0, c + 1); r < end; ++r)
                                sum += lower[below(r, c, d)] * Qf[r - r0];
                            atomicAdd(&adj_mu[k * d + c], sum);
                        }
                        __syncthreads();
                    }
                }
            }
        }
        __syncthreads();  // before g is of the next points
    }
}
