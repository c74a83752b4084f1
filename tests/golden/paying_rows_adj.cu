// paying_rows_adj: adjoint of paying_rows (paying_rows.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform paying_rows.cu --of y --wrt x
//
// Call with x as it was before paying_rows. Seed adj_y with dJ/dy: it is left alone,
// because paying_rows stores each element of y at most once. dJ/dx is added to adj_x. y
// and longest are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v                    reloaded   still in its variable
//   some[..], most[..]   reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element, the one that stores y[i]
//
// Assumed: no two threads store the same y[i], arrays don't overlap, no index wraps.

__global__ void paying_rows_adj(const float *x, float *adj_x,
                                float *y, const float *adj_y, int *longest, int n)
{
    __shared__ int some;
    __shared__ unsigned int most;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        some = 0;
        most = 0u;
    }
    __syncthreads();
    float v = i < n ? x[i] : 0.0f;
    atomicOr(&some, v > 1.0f);
    atomicMax(&most, v > 0.0f ? threadIdx.x : 0u);
    __syncthreads();
    float adj_v = 0.0f;
    if (i < n) {
        // 18:  y[i] = some ? v * v * most : 2.0f * v
        float g = adj_y[i];
        if (some)
            adj_v = 2.0f * v * most * g;
        else
            adj_v = 2.0f * g;
    }

    // 13:  float v = i < n ? x[i] : 0.0f
    if (i < n)
        adj_x[i] += adj_v;
}
