// Adjoint of gmm_scales: a logarithm enters its exponential and its component's sum. A thread is a component,
// whose logarithms are its own.
extern "C" __global__ void gmm_scales_adj(const double *__restrict__ icf, double *__restrict__ adj_icf,
                                          double *__restrict__ scale, const double *__restrict__ adj_scale,
                                          double *__restrict__ sum_q, const double *__restrict__ adj_sum_q,
                                          int K, int d)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= K)
        return;
    const int first = k * (d * (d + 1) / 2);
    const double g = adj_sum_q[k];
    for (int j = 0; j < d; ++j)
        adj_icf[first + j] += g + adj_scale[k * d + j] * exp(icf[first + j]);
}
