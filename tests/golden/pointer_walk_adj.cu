// pointer_walk_adj: adjoint of pointer_walk (pointer_walk.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform pointer_walk.cu --of y --wrt x,w
//
// Call with x and w as they were before pointer_walk. Seed adj_y with dJ/dy: it is left
// alone, because pointer_walk stores each element of y at most once. dJ/dx is added to
// adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p_at               inverted            each iteration adds rows
//   q_at               inverted            each iteration adds 1
//   trips of line 12   trips, a register   the loop decides in its iterations when it
//                                          ends
//   v                  recomputed          from values at hand, in the reversed
//                                          iteration
//   w[..]              reloaded            nothing stores to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   each thread has elements of its own
//   adj_w[..]   atomicAdd       every thread reads the same *q++
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void pointer_walk_adj(const float *x, float *adj_x,
                                            const float *w, float *adj_w,
                                            float *y, const float *adj_y, int rows, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;

    // ---- forward sweep ------------------------------------------------------

    long q_at = 0;
    int trips = 0;
    while (q_at < n) {
        q_at++;
        ++trips;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 17:  y[r] = s
    float adj_s = adj_y[r];
    for (int trip = trips - 1; trip >= 0; --trip) {
        long p_at = (long)trip * rows;
        float v = x[r + p_at];

        // 14:  s += v * v * *q++
        atomicAdd(&adj_w[trip], v * v * adj_s);
        // 13:  float v = *p
        adj_x[r + p_at] += 2.0f * v * w[trip] * adj_s;
    }
}
