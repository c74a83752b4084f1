// segmented_sum_adj: adjoint of segmented_sum (segmented_sum.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform segmented_sum.cu --of total --wrt value,scale
//
// Call with value, scale and row as they were before segmented_sum. Seed adj_total with
// dJ/dtotal: it is left alone, because segmented_sum only adds to total. dJ/dvalue is
// added to adj_value; dJ/dscale is added to adj_scale. share and total are neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s                     reloaded   still in its variable
//   scale[..], row[..],   reloaded   nothing stores to it
//   value[..]
//
// How adjoints are added up:
//   adj_value[..]   +=, one owner   one thread per element
//   adj_scale[..]   atomicAdd       row may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void segmented_sum_adj(const double *value, double *adj_value,
                                             const double *scale, double *adj_scale, const int *row,
                                             double *share,
                                             double *total, const double *adj_total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double s = sin(value[i]) * scale[row[i]];
        // 10:  atomicAdd(total + row[i], s * s)
        double adj_s = 2.0 * s * adj_total[row[i]];

        // 8:  double s = sin(value[i]) * scale[row[i]]
        adj_value[i] += scale[row[i]] * cos(value[i]) * adj_s;
        atomicAdd(&adj_scale[row[i]], sin(value[i]) * adj_s);
    }
}
