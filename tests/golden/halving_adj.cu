// halving_adj: adjoint of halving (halving.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform halving.cu --of y --wrt x
//
// Call with x as it was before halving. Seed adj_y with dJ/dy: it is left alone,
// because halving stores each element of y at most once. dJ/dx is added to adj_x. y is
// neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   o (line 9)        tape_o, a register         line 9 overwrites it
//   s (line 9)        tape_s[32], local memory   line 10 changes it in each iteration
//   o (line 9)        inverted                   each iteration divides it by 2
//   trips of line 9   trips, a register          the loop decides in its iterations
//                                                when it ends
//   s (line 9)        reloaded                   still in its variable
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   not proved that two threads never meet in x[i] and x[o - 1]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void halving_adj(const float *x, float *adj_x,
                                       float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float s = x[i];
    int o = i + 1;
    int tape_o = o;
    int trips = 0;
    float tape_s[32];
    for (; o > 0; o /= 2) {
        tape_s[trips] = s;
        s = s * s + x[o - 1] / o;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 11:  y[i] = tanhf(s)
    float r = tanhf(s);
    float adj_s = (1.0f - r * r) * adj_y[i];
    for (int trip = trips - 1; trip >= 0; --trip) {
        float s = tape_s[trip];
        int o = tape_o >> trip;

        // 10:  s = s * s + x[o - 1] / o
        atomicAdd(&adj_x[o - 1], adj_s / o);
        adj_s *= 2.0f * s;
    }

    // 8:  float s = x[i]
    atomicAdd(&adj_x[i], adj_s);
}
