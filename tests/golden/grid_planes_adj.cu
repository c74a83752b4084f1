// grid_planes_adj: adjoint of grid_planes (grid_planes.cu:11).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform grid_planes.cu --of y --wrt x,w,bias
//
// Call with x and w as they were before grid_planes. Seed adj_y with dJ/dy: it is left
// alone, because grid_planes stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w; dJ/dbias is added to adj_bias. bias and y are neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], w[..]     reloaded     nothing stores to it
//   along_value, s   recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_w[..]      atomicAdd   threads that differ in blockIdx.x and threadIdx.x only
//                              read the same w[i][j]
//   adj_x[..]      atomicAdd   not proved that two threads never meet in mine[i][j],
//                              row[j - 1], row[j + 1] and x[k][(i + 1) % N][j - 1]
//   adj_bias[..]   atomicAdd   threads that differ in blockIdx.x and threadIdx.x only
//                              read the same bias[i]
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

#define M 6
#define N 4

__global__ void grid_planes_adj(const double (*x)[N][M], double (*adj_x)[N][M],
                                double (*w)[M], double (*adj_w)[M],
                                const double *bias, double *adj_bias,
                                double (*__restrict__ y)[N][M],
                                const double (*__restrict__ adj_y)[N][M], int planes)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int i = threadIdx.y;
    if (k >= planes)
        return;
    double adj_bias_sum = 0.0;
    for (int j = 1; j < M - 1; ++j) {
        double s = w[i][j] * x[k][i][j] * x[k][i][j];
        double along_value = x[k][i][j - 1] - x[k][i][j + 1];
        s += x[k][(i + 1) % N][j - 1] * along_value;

        // 22:  y[k][i][j] = sin(s) + bias[i]
        double g = adj_y[k][i][j];
        double adj_s = cos(s) * g;
        adj_bias_sum += g;

        // 21:  s += x[k][(i + 1) % N][j - 1] * along(mine[i], j)
        atomicAdd(&adj_x[k][(i + 1) % N][j - 1], along_value * adj_s);
        double adj_along_value = x[k][(i + 1) % N][j - 1] * adj_s;

        // 21:  along(mine[i], j)
        atomicAdd(&adj_x[k][i][j - 1], adj_along_value);
        atomicAdd(&adj_x[k][i][j + 1], -adj_along_value);

        // 20:  double s = w[i][j] * mine[i][j] * mine[i][j]
        atomicAdd(&adj_w[i][j], x[k][i][j] * x[k][i][j] * adj_s);
        atomicAdd(&adj_x[k][i][j], 2.0 * w[i][j] * x[k][i][j] * adj_s);
    }
    // what the iterations owe, added once
    if (adj_bias_sum != 0.0)
        atomicAdd(&adj_bias[i], adj_bias_sum);
}
