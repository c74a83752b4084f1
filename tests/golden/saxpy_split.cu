// saxpy_adj: adjoint of saxpy (saxpy.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform saxpy.cu --of y --wrt a,x,y --mode split
//
// First launch saxpy_fwd, with the same grid and block: it does what saxpy does. Call
// with x as it was before saxpy. adj_y comes in as dJ/dy after saxpy and goes out as
// dJ/dy before it, element by element. dJ/da is added to adj_a; dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   i       recomputed   from values at hand
//   x[..]   reloaded     nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_a       atomicAdd       every thread has its share in it, added once per thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void saxpy_fwd(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy_adj(int n,
                                     float a, float *adj_a,
                                     const float *x, float *adj_x,
                                     float *y, float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // 7:  y[i] = a * x[i] + y[i]
        float g = adj_y[i];
        atomicAdd(adj_a, x[i] * g);
        adj_x[i] += a * g;
    }
}
