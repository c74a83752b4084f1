// s2sad: --of total --wrt w,scale
// Data in float, arithmetic in double: no adjoint may pass through a float.
extern "C" __global__ void float_data_in_double(const float *x, const double *w, double *total, double scale, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (int k = 0; k < m; ++k)
        sum += x[i * m + k] * w[k];
    total[i] = scale * sum * (double)x[i * m] + sum * sum;
}
