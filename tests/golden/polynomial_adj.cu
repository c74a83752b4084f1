// polynomial_adj: adjoint of polynomial (polynomial.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform polynomial.cu --of y --wrt x,c
//
// Call with x and c as they were before polynomial. Seed adj_y with dJ/dy: it is left
// alone, because polynomial stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dc is added to adj_c. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v       reloaded                 still in its variable
//   x[..]   reloaded                 nothing stores to it
//   s       ds_dv, carried forward   line 10 changes it in each iteration, and inputs
//                                    are few
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_c[..]   reduced per block   every thread reads the same c[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void polynomial_adj(const double *x, double *adj_x,
                                          const double *c, double *adj_c,
                                          double *y, const double *adj_y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double v;
    double adj_s;
    double adj_v;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        v = sin(x[i]);
        double s = 0.0;
        double ds_dv = 0.0;
        for (int k = 0; k < terms; ++k) {
            ds_dv = v * ds_dv + s;
            s = s * v + c[k];
        }

        // ---- reverse sweep ------------------------------------------------------

        // 11:  y[i] = s
        adj_s = adj_y[i];
        // 9:  for (int k = 0; k < terms; ++k)
        // its tangents, carried along, are what it owes
        adj_v = ds_dv * adj_s;
    }
    for (int k = terms - 1; k >= 0; --k) {
        double adj_c_sum = 0.0;
        if (i < n) {
            // 10:  s = s * v + c[k]
            adj_c_sum = adj_s;
            adj_s *= v;
        }
        block_add(&adj_c[k], adj_c_sum);
    }
    if (i < n) {
        // 8:  double v = sin(x[i])
        adj_x[i] += cos(x[i]) * adj_v;
    }
}
