// polar_adj: adjoint of polar (polar.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform polar.cu --of r,phi --wrt x,y
//
// Call with x and y as they were before polar. Seed adj_r with dJ/dr: it is left alone,
// because polar stores each element of r at most once. Seed adj_phi with dJ/dphi: it is
// left alone, because polar stores each element of phi at most once. dJ/dx is added to
// adj_x; dJ/dy is added to adj_y. r and phi are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..], y[..]   reloaded   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_y[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   hypotf: where its partial is infinite a zero adjoint contributes zero
//   atan2f: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void polar_adj(const float *x, float *adj_x,
                                     const float *y, float *adj_y,
                                     float *r, const float *adj_r,
                                     float *phi, const float *adj_phi, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // 9:  phi[i] = atan2f(y[i], x[i])
    float g = adj_phi[i];
    if (g != 0.0f) {
        adj_y[i] += x[i] * g / (x[i] * x[i] + y[i] * y[i]);
        adj_x[i] -= y[i] * g / (x[i] * x[i] + y[i] * y[i]);
    }

    // 8:  r[i] = hypotf(x[i], y[i])
    float g_2 = adj_r[i];
    if (g_2 != 0.0f) {
        adj_x[i] += x[i] * g_2 / hypotf(x[i], y[i]);
        adj_y[i] += y[i] * g_2 / hypotf(x[i], y[i]);
    }
}
