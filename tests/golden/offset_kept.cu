// s2sad: --of y --wrt x
// What an alias was made from changes while it is in use.
extern "C" __global__ void offset_kept(const double *x, double *y, int n, unsigned stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int j = 0;
    double s = 0.0;
    while (j < n) {
        const double *row = x + j * n;
        const double *corner = &row[stride];
        j += 2;
        s += row[i] * corner[-1] * row[j % n];
    }
    double *out = y + i;
    *out = s;
}
