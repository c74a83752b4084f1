// Adjoint of gmm_sum: each point's logarithm enters the sum once. Nothing is summed, so no thread waits.
#define BLOCK 128

extern "C" __global__ void gmm_sum_adj(const double *__restrict__ lse, double *__restrict__ adj_lse,
                                       double *__restrict__ loss, const double *__restrict__ adj_loss, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        adj_lse[i] += *adj_loss;
}
