// float_data_in_double_adj: adjoint of float_data_in_double (float_data_in_double.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform float_data_in_double.cu --of total --wrt w,scale
//
// Call with x and w as they were before float_data_in_double. Seed adj_total with
// dJ/dtotal: it is left alone, because float_data_in_double stores each element of
// total at most once. dJ/dw is added to adj_w; dJ/dscale is added to adj_scale. total
// is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   sum     reloaded   still in its variable
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_w[..]   atomicAdd   every thread reads the same w[k]
//   adj_scale   atomicAdd   every thread has its share in it, added once per thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void float_data_in_double_adj(const float *x,
                                                    const double *w, double *adj_w,
                                                    double *total, const double *adj_total,
                                                    double scale, double *adj_scale, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    double sum = 0;
    for (int k = 0; k < m; ++k)
        sum += x[i * m + k] * w[k];

    // ---- reverse sweep ------------------------------------------------------

    // 11:  total[i] = scale * sum * (double)x[i * m] + sum * sum
    double g = adj_total[i];
    double g_2 = (double)x[i * m] * g;
    atomicAdd(adj_scale, sum * g_2);
    double adj_sum = scale * g_2 + 2.0 * sum * g;
    for (int k = 0; k < m; ++k) {
        // 10:  sum += x[i * m + k] * w[k]
        atomicAdd(&adj_w[k], x[i * m + k] * adj_sum);
    }
}
