// k-means: the squared distance of each point from the nearest of k centres.
extern "C" __global__ void kmeans_dense(const double *points, const double *centres, double *cost, int n,
                                        int k, int dims)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int nearest = 0;
    double least = INFINITY;
    for (int c = 0; c < k; ++c) {
        double distance = 0.0;
        for (int d = 0; d < dims; ++d) {
            double apart = centres[c * dims + d] - points[i * dims + d];
            distance += apart * apart;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    double sum = 0.0;
    for (int d = 0; d < dims; ++d) {
        double apart = centres[nearest * dims + d] - points[i * dims + d];
        sum += apart * apart;
    }
    cost[i] = sum;
}
