// logistic_adj: adjoint of logistic (logistic.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform logistic.cu --of y --wrt x,r
//
// Call with x as it was before logistic. Seed adj_y with dJ/dy: it is left alone,
// because logistic stores each element of y at most once. dJ/dx is added to adj_x;
// dJ/dr is added to adj_r. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   s   tape_s[STEPS], registers   line 12 changes it in each iteration
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_r       atomicAdd       every thread has its share in it, added once per thread
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define STEPS 12

extern "C" __global__ void logistic_adj(const float *x, float *adj_x,
                                        float r, float *adj_r,
                                        float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_r_sum = 0.0f;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float s = x[i];
    float tape_s[STEPS];
    for (int k = 0; k < STEPS; ++k) {
        tape_s[k] = s;
        s = r * s * (1.0f - s);
    }

    // ---- reverse sweep ------------------------------------------------------

    // 13:  y[i] = s
    float adj_s = adj_y[i];
    for (int k = STEPS - 1; k >= 0; --k) {
        float s = tape_s[k];

        // 12:  s = r * s * (1.0f - s)
        float g = (1.0f - s) * adj_s;
        adj_r_sum += s * g;
        adj_s = r * g - r * s * adj_s;
    }

    // 10:  float s = x[i]
    adj_x[i] += adj_s;
    atomicAdd(adj_r, adj_r_sum);
}
