// s2sad: --of y --wrt x,table
// A floating value becomes an index; the position between two entries keeps its derivative.
extern "C" __global__ void table_lookup(const double *x, const double *table, double *y, int n, int entries)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double at = x[i] * x[i] * (entries - 1);
    int cell = (int)at;
    if (cell > entries - 2)
        cell = entries - 2;
    double t = at - cell;
    y[i] = table[cell] + t * (table[cell + 1] - table[cell]) + (double)cell * 0.1;
}
