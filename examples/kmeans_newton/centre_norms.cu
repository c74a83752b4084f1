// The squared norm of each of k centres.
extern "C" __global__ void centre_norms(const double *centres, double *norm, int k, int dims)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= k)
        return;
    double sum = 0.0;
    for (int d = 0; d < dims; ++d)
        sum += centres[c * dims + d] * centres[c * dims + d];
    norm[c] = sum;
}
