// flags_read_back_adj: adjoint of flags_read_back (flags_read_back.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform flags_read_back.cu --of y --wrt x
//
// Call with x and flags as they were before flags_read_back. Seed adj_y with dJ/dy: it
// is left alone, because flags_read_back stores each element of y at most once. dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void flags_read_back_adj(const float *x, float *adj_x, const float *flags,
                                    float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool behind;
    bool clamped;
    float packed = flags[i];
    unsigned int bits = __float_as_uint(packed);
    behind = (bits & 1u) != 0u;
    clamped = (bits & 2u) != 0u;

    // 17:  y[i] = behind ? -x[i] : clamped ? 1.0f : x[i] * x[i]
    float g = adj_y[i];
    if (behind)
        adj_x[i] -= g;
    else if (!clamped)
        adj_x[i] += 2.0f * x[i] * g;
}
