// twice_adj: adjoint of twice (stored_in_two_phases.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stored_in_two_phases.cu --of y --wrt x
//
// Call with x as it was before twice. adj_y comes in as dJ/dy after twice and goes out
// as dJ/dy before it, element by element. dJ/dx is added to adj_x. y is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void twice_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                          float *__restrict__ y, float *__restrict__ adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n && threadIdx.x + 1 < blockDim.x) {
        // 10:  y[i + 1] = x[i] * 3.0f
        adj_x[i] += 3.0f * adj_y[i + 1];
        adj_y[i + 1] = 0.0f;
    }
    __syncthreads();
    if (i < n) {
        // 7:  y[i] = x[i] * x[i]
        adj_x[i] += 2.0f * x[i] * adj_y[i];
        adj_y[i] = 0.0f;
    }
}
