// clamp_adj: adjoint of clamp (flags_in_a_number.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform flags_in_a_number.cu --of y --wrt x
//
// Call with x as it was before clamp. Seed adj_y with dJ/dy: it is left alone, because
// clamp stores each element of y at most once. dJ/dx is added to adj_x. flags and y are
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, one   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void clamp_adj(const float *x, float *adj_x, float *flags,
                          float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    bool behind = v < 0.0f;
    float one = __int_as_float(0x3f800000);
    float adj_v;

    // 22:  y[i] = behind ? v * one : v * v * __int_as_float(0x3f000000 + (i << 16))
    float g = adj_y[i];
    if (behind)
        adj_v = one * g;
    else
        adj_v = 2.0f * v * __int_as_float(0x3f000000 + (i << 16)) * g;

    // 18:  float v = x[i]
    adj_x[i] += adj_v;
}
