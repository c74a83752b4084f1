// s2sad: --of total --wrt value,scale
// Rows of a compressed matrix, several threads in a row; each writes its share, too.
extern "C" __global__ void segmented_sum(const double *value, const double *scale, const int *row,
                                         double *share, double *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double s = sin(value[i]) * scale[row[i]];
        share[i] = s;
        atomicAdd(total + row[i], s * s);
    }
}
