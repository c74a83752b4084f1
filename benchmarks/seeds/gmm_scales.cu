// Gaussian mixture, first kernel: exponentials and sums of the diagonals of the inverse covariances' factors.
// s2sad: --of scale --of sum_q --wrt icf
extern "C" __global__ void gmm_scales(const double *__restrict__ icf, double *__restrict__ scale,
                                      double *__restrict__ sum_q, int K, int d)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= K)
        return;
    const double *q = icf + k * (d * (d + 1) / 2);
    double sum = 0.0;
    for (int j = 0; j < d; ++j) {
        scale[k * d + j] = exp(q[j]);
        sum += q[j];
    }
    sum_q[k] = sum;
}
