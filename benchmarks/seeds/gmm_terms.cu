// Gaussian mixture, second kernel: the logarithm of each component's weighted density at each point.
// A thread is one point and one component. The factor Q is lower triangular: its diagonal is `scale`, what
// is below follows column by column in icf, after the d logarithms of the diagonal.
// s2sad: --of term --wrt alpha,mu,icf,scale,sum_q
extern "C" __global__ void gmm_terms(const double *__restrict__ x, const double *__restrict__ alpha,
                                     const double *__restrict__ mu, const double *__restrict__ icf,
                                     const double *__restrict__ scale, const double *__restrict__ sum_q,
                                     double *__restrict__ term, int n, int K, int d)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (k >= K || i >= n)
        return;
    const double *point = x + i * d;
    const double *mean = mu + k * d;
    const double *lower = icf + k * (d * (d + 1) / 2) + d;
    double norm2 = 0.0;
    for (int r = 0; r < d; ++r) {
        double row = scale[k * d + r] * (point[r] - mean[r]);
        for (int c = 0; c < r; ++c)
            row += lower[c * (2 * d - c - 1) / 2 + r - c - 1] * (point[c] - mean[c]);
        norm2 += row * row;
    }
    term[i * K + k] = alpha[k] + sum_q[k] - 0.5 * norm2;
}
