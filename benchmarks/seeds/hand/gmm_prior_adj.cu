// Adjoint of gmm_prior: a softmax for the weights, and each element of the factors times gamma^2. The objective
// is added to, so its adjoint stays. The primal is one thread; here the first block's threads share the work.
#define MOST_THREADS 1024

extern "C" __global__ void gmm_prior_adj(const double *__restrict__ alpha, double *__restrict__ adj_alpha,
                                         const double *__restrict__ icf, double *__restrict__ adj_icf,
                                         const double *__restrict__ scale, double *__restrict__ adj_scale,
                                         const double *__restrict__ sum_q, double *__restrict__ adj_sum_q,
                                         double *__restrict__ loss, double *__restrict__ adj_loss,
                                         double gamma, double m, int n, int K, int d)
{
    __shared__ double part[MOST_THREADS], whole[2];
    if (blockIdx.x != 0)
        return;
    const int thread = threadIdx.x, threads = blockDim.x;
    const int size = d * (d + 1) / 2;
    const double g = *adj_loss, pull = g * gamma * gamma;

    for (int e = thread; e < K * d; e += threads)
        adj_scale[e] += pull * scale[e];
    for (int j = d + thread; j < size; j += threads)
        for (int k = 0; k < K; ++k)
            adj_icf[k * size + j] += pull * icf[k * size + j];

    // the maximum, then the sum of the exponentials: of each thread's components, then of all
    double top = -INFINITY;
    for (int k = thread; k < K; k += threads)
        top = fmax(top, alpha[k]);
    part[thread] = top;
    __syncthreads();
    if (thread == 0) {
        for (int t = 1; t < threads; ++t)
            top = fmax(top, part[t]);
        whole[0] = top;
    }
    __syncthreads();
    top = whole[0];
    double sum = 0.0;
    for (int k = thread; k < K; k += threads)
        sum += exp(alpha[k] - top);
    part[thread] = sum;
    __syncthreads();
    if (thread == 0) {
        for (int t = 1; t < threads; ++t)
            sum += part[t];
        whole[1] = sum;
    }
    __syncthreads();
    const double share = g * n / whole[1];
    for (int k = thread; k < K; k += threads) {
        adj_alpha[k] -= share * exp(alpha[k] - top);
        adj_sum_q[k] -= g * m;
    }
}
