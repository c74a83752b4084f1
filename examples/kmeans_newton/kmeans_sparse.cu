// k-means of sparse points (CSR): |centre - point|^2 is |centre|^2 plus a sum over the point's entries.
extern "C" __global__ void kmeans_sparse(const int *start, const int *column, const double *value,
                                         const double *centres, const double *norm, double *cost, int n,
                                         int k, int dims)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int nearest = 0;
    double least = INFINITY;
    for (int c = 0; c < k; ++c) {
        double distance = norm[c];
        for (int e = start[i]; e < start[i + 1]; ++e)
            distance += value[e] * (value[e] - 2.0 * centres[c * dims + column[e]]);
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    double sum = norm[nearest];
    for (int e = start[i]; e < start[i + 1]; ++e)
        sum += value[e] * (value[e] - 2.0 * centres[nearest * dims + column[e]]);
    cost[i] = sum;
}
