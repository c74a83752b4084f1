// Gaussian mixture, third kernel: the logarithm of each point's density. A thread is one point.
// s2sad: --of lse --wrt term
extern "C" __global__ void gmm_log_sum_exp(const double *__restrict__ term, double *__restrict__ lse, int n, int K)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double *row = term + i * K;
    double top = row[0];
    for (int k = 1; k < K; ++k)
        top = fmax(top, row[k]);
    double sum = 0.0;
    for (int k = 0; k < K; ++k)
        sum += exp(row[k] - top);
    lse[i] = top + log(sum);
}
