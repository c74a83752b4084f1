// Gaussian mixture, last kernel: the Wishart prior of the factors and the normalisation of the weights. One thread.
// s2sad: --of loss --wrt alpha,icf,scale,sum_q
extern "C" __global__ void gmm_prior(const double *__restrict__ alpha, const double *__restrict__ icf,
                                     const double *__restrict__ scale, const double *__restrict__ sum_q,
                                     double *__restrict__ loss, double gamma, double m, int n, int K, int d)
{
    if (blockIdx.x != 0 || threadIdx.x != 0)
        return;
    const int size = d * (d + 1) / 2;
    double top = alpha[0];
    for (int k = 1; k < K; ++k)
        top = fmax(top, alpha[k]);
    double sum = 0.0;
    for (int k = 0; k < K; ++k)
        sum += exp(alpha[k] - top);
    double prior = 0.0;
    for (int k = 0; k < K; ++k) {
        double norm2 = 0.0;
        for (int j = 0; j < d; ++j)
            norm2 += scale[k * d + j] * scale[k * d + j];
        for (int j = d; j < size; ++j)
            norm2 += icf[k * size + j] * icf[k * size + j];
        prior += 0.5 * gamma * gamma * norm2 - m * sum_q[k];
    }
    *loss += prior - n * (top + log(sum));
}
