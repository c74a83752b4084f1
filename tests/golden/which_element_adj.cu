// which_element_adj: adjoint of which_element (which_element.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform which_element.cu --of y --wrt x,c
//
// Call with x, c and pick as they were before which_element. Seed adj_y with dJ/dy: it
// is left alone, because which_element stores each element of y at most once. dJ/dx is
// added to adj_x; dJ/dc is added to adj_c. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   to (line 10)     tape_to_2, a register     line 12 overwrites it
//   from (line 10)   tape_from_2, a register   line 23 overwrites it
//   x[..], c[..]     reloaded                  nothing stores to it
//   to (line 12)     tape_to_3, a register     line 14 overwrites it
//   w[from]          tape_w, a register        line 13 overwrites it
//   v (line 15)      tape_v, a register        line 16 overwrites it
//   from (line 18)   tape_from[4], registers   line 23 changes it in each iteration
//   to (line 18)     tape_to[4], registers     line 22 changes it in each iteration
//   v (line 18)      reloaded                  still in its variable
//   near             recomputed                from values at hand, in the reversed
//                                              iteration
//   w[near]          tape_w_2[4], registers    line 21 overwrites it
//   w[..]            reloaded                  no later store goes to it
//
// How adjoints are added up:
//   adj_c[..]   reduced per block   every thread reads c[0] and c[1]
//   adj_x[..]   +=, one owner       one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(double *where, double value)
{
    __shared__ double sums[32];
    for (int d = 16; d > 0; d /= 2) {
        double above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void which_element_adj(const double *x, double *adj_x,
                                             const double *c, double *adj_c, const int *pick,
                                             double *y, const double *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double adj_c_1 = 0.0;
    double adj_c_0 = 0.0;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        double w[3] = {0.5, 0.25, 1.0};
        int to = i % 3;
        int tape_to_2 = to;
        int from = pick[i];
        int tape_from_2 = from;
        w[to] = c[0] * x[i];
        to = (to + 1) % 3;
        int tape_to_3 = to;
        double tape_w = w[from];
        w[to] = sin(w[from]) * x[i];
        to = 2 - to;
        double v = x[i];
        double tape_v = v;
        v /= c[1];
        v /= 2.0 + i % 3;
        double tape_w_2[4];
        int tape_to[4];
        int tape_from[4];
        for (int k = 0; k < 4; ++k) {
            tape_to[k] = to;
            tape_from[k] = from;
            int near = (pick[i] + k) % 3;
            tape_w_2[k] = w[near];
            v += 0.1 * w[near] * w[near];
            w[to] = 0.5 * w[from] + 0.3 * v;
            to = (to * 2 + k) % 3;
            from = near;
        }

        // ---- reverse sweep ------------------------------------------------------

        double adj_w[3] = {};

        // 25:  y[i] = v * w[0] + w[1] * w[2]
        double g = adj_y[i];
        double adj_v = w[0] * g;
        adj_w[0] += v * g;
        adj_w[1] += w[2] * g;
        adj_w[2] += w[1] * g;
        for (int k = 3; k >= 0; --k) {
            int to = tape_to[k];
            int from = tape_from[k];
            int near = (pick[i] + k) % 3;

            // 21:  w[to] = 0.5 * w[from] + 0.3 * v
            double g = adj_w[to];
            adj_w[to] = 0.0;
            adj_w[from] += 0.5 * g;
            adj_v += 0.3 * g;

            // 20:  v += 0.1 * w[near] * w[near]
            adj_w[near] += 0.2 * tape_w_2[k] * adj_v;
        }

        // 17:  v /= 2.0 + i % 3
        adj_v /= 2.0 + i % 3;

        // 16:  v /= c[1]
        double g_2 = adj_v / c[1];
        adj_c_1 = -(tape_v * g_2 / c[1]);
        adj_v = g_2;

        // 15:  double v = x[i]
        adj_x[i] += adj_v;

        // 13:  w[to] = sin(w[from]) * x[i]
        double g_3 = adj_w[tape_to_3];
        adj_w[tape_to_3] = 0.0;
        adj_w[tape_from_2] += x[i] * cos(tape_w) * g_3;
        adj_x[i] += sin(tape_w) * g_3;

        // 11:  w[to] = c[0] * x[i]
        double g_4 = adj_w[tape_to_2];
        adj_c_0 = x[i] * g_4;
        adj_x[i] += c[0] * g_4;
    }
    block_add(&adj_c[1], adj_c_1);
    block_add(&adj_c[0], adj_c_0);
}
