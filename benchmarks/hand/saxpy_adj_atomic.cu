// Adjoint of saxpy, without the block's sum.  of y, wrt a, x, y.
//   adj_y  y enters with partial 1: the seed already is the adjoint at entry, and stays
//   adj_x  one thread per element: +=
//   adj_a  one address for all threads: one atomic per thread
extern "C" __global__ void saxpy_adj(int n, float a, float *__restrict__ adj_a,
                                     const float *__restrict__ x, float *__restrict__ adj_x,
                                     float *__restrict__ y, float *__restrict__ adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // y[i] = a * x[i] + y[i]
        float g = adj_y[i];
        adj_x[i] += a * g;
        atomicAdd(adj_a, x[i] * g);
    }
}
