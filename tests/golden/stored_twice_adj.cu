// stored_twice_adj: adjoint of stored_twice (stored_twice.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform stored_twice.cu --of y --wrt x
//
// Call with x as it was before stored_twice. adj_y comes in as dJ/dy after stored_twice
// and goes out as dJ/dy before it, element by element. dJ/dx is added to adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void stored_twice_adj(const float *x, float *adj_x,
                                            float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 5 == 0) {
        // 12:  y[i] = 1.0f
        adj_y[i] = 0.0f;
    }
    if (x[i] < 0.0f) {
        // 10:  y[i] = sinf(x[i])
        adj_x[i] += cosf(x[i]) * adj_y[i];
        adj_y[i] = 0.0f;
    }

    // 8:  y[i] = x[i] * x[i]
    adj_x[i] += 2.0f * x[i] * adj_y[i];
    adj_y[i] = 0.0f;
}
