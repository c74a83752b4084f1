// table_lookup_adj: adjoint of table_lookup (table_lookup.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform table_lookup.cu --of y --wrt x,table
//
// Call with x and table as they were before table_lookup. Seed adj_y with dJ/dy: it is
// left alone, because table_lookup stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dtable is added to adj_table. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], table[..]   reloaded   nothing stores to it
//   t                  reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]       +=, one owner   one thread per element
//   adj_table[..]   atomicAdd       not proved that two threads never meet in
//                                   table[cell] and table[cell + 1]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void table_lookup_adj(const double *x, double *adj_x,
                                            const double *table, double *adj_table,
                                            double *y, const double *adj_y, int n, int entries)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double at = x[i] * x[i] * (entries - 1);
    int cell = (int)at;
    if (cell > entries - 2)
        cell = entries - 2;
    double t = at - cell;

    // 13:  y[i] = table[cell] + t * (table[cell + 1] - table[cell]) + (double)cell * 0.1
    double g = adj_y[i];
    double adj_table_cell = g;
    double g_2 = t * g;
    atomicAdd(&adj_table[cell + 1], g_2);
    atomicAdd(&adj_table[cell], adj_table_cell - g_2);

    // 8:  double at = x[i] * x[i] * (entries - 1)
    adj_x[i] += 2.0 * x[i] * (entries - 1) * (table[cell + 1] - table[cell]) * g;
}
