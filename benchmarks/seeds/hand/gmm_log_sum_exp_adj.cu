// Adjoint of gmm_log_sum_exp: the gradient of a log-sum-exp is the softmax. It doesn't depend on `top`, which
// only keeps the exponentials in range, so the maximum has no adjoint of its own.
extern "C" __global__ void gmm_log_sum_exp_adj(const double *__restrict__ term, double *__restrict__ adj_term,
                                               double *__restrict__ lse, const double *__restrict__ adj_lse,
                                               int n, int K)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *row = term + i * K;
    double *adj_row = adj_term + i * K;
    double top = -INFINITY;
    for (int k = 0; k < K; ++k)
        top = fmax(top, row[k]);
    double sum = 0.0;
    for (int k = 0; k < K; ++k)
        sum += exp(row[k] - top);
    const double share = adj_lse[i] / sum;
    for (int k = 0; k < K; ++k)
        adj_row[k] += share * exp(row[k] - top);
}
