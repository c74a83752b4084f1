// roots_adj: adjoint of roots (said_on_the_way.cu:6).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform said_on_the_way.cu --of y --wrt x
//
// Call with x as it was before roots. Seed adj_y with dJ/dy: it is left alone, because
// roots stores each element of y at most once. dJ/dx is added to adj_x. y is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   r       tape_r[4], registers   line 13 changes it in each iteration
//   x[..]   reloaded               nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void roots_adj(const float *x, float *adj_x,
                                     float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float r = 1.0f;
        float tape_r[4];
        for (int k = 0; k < 4; ++k) {
            tape_r[k] = r;
            r = 0.5f * (r + x[i] / r);
        }

        // ---- reverse sweep ------------------------------------------------------

        // 18:  y[i] = r
        float adj_r = adj_y[i];
        float adj_x_sum = 0.0f;
        for (int k = 3; k >= 0; --k) {
            float r = tape_r[k];

            // 13:  r = 0.5f * (r + x[i] / r)
            float g = 0.5f * adj_r;
            float g_2 = g / r;
            adj_x_sum += g_2;
            adj_r = g - x[i] / r * g_2;
        }
        // what the iterations owe, added once
        if (adj_x_sum != 0.0f)
            adj_x[i] += adj_x_sum;
    }
}
