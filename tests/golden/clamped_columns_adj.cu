// clamped_columns_adj: adjoint of clamped_columns (clamped_columns.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform clamped_columns.cu --of y,peak --wrt u
//
// Call with u, first and count as they were before clamped_columns. Seed adj_peak with
// dJ/dpeak: it is left alone, because clamped_columns stores each element of peak at
// most once. adj_y comes in as dJ/dy after clamped_columns and goes out as dJ/dy before
// it, element by element. dJ/du is added to adj_u. y and peak are neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   here, sum   reloaded     still in its variable
//   u[..]       reloaded     nothing stores to it
//   k           recomputed   from values at hand, in the reversed iteration
//
// How adjoints are added up:
//   adj_u[..]   atomicAdd   not proved that two threads never meet in u[at] and u[k]
//   adj_y[..]   exchanged   no proof that only one thread stores an element; one takes
//                           its adjoint
//
// Assumed: the launch is 2-D, no two threads store different values in one
// y[threadIdx.x + blockIdx.x * blockDim.x + (k * h + j) * w], arrays don't overlap, no
// index wraps.

__global__ void clamped_columns_adj(const float *u, float *adj_u, const int *first,
                                    const int *count,
                                    float *y, float *adj_y,
                                    float *peak, const float *adj_peak, int w, int h, int levels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int at = min(i, w - 1) + min(j, h - 1) * w;
    float here = u[at];
    float adj_here = 0.0f;
    if (i >= w || j >= h)
        return;

    int k;
    float sum = 0.0f;
    for (k = first[at]; k < first[at] + count[at]; ++k)
        sum += u[k] * u[k];
    float adj_sum = 0.0f;
    for (int n = count[at] - 1; n >= 0; --n) {
        for (int k = levels - 2; k >= 0; --k) {
            // 23:  y[threadIdx.x + blockIdx.x * blockDim.x + (k * h + j) * w] = here * (k + 1)
            float g = atomicExch(&adj_y[threadIdx.x + blockIdx.x * blockDim.x + (k * h + j) * w],
                                 0.0f);
            adj_here += (k + 1) * g;
        }

        // 21:  y[threadIdx.x + blockIdx.x * blockDim.x + (k * h + j) * w] = sum * here
        float g = atomicExch(&adj_y[threadIdx.x + blockIdx.x * blockDim.x
                                    + ((levels - 1) * h + j) * w], 0.0f);
        adj_sum += here * g;
        adj_here += sum * g;
    }
    for (int k = first[at]; k < first[at] + count[at]; ++k) {
        // 18:  sum += u[k] * u[k]
        atomicAdd(&adj_u[k], 2.0f * u[k] * adj_sum);
    }

    // 13:  peak[at] = here * u[at]
    float g = adj_peak[at];
    adj_here += u[at] * g;
    float adj_u_at = here * g;

    // 10:  float here = u[at]
    atomicAdd(&adj_u[at], adj_u_at + adj_here);
}
