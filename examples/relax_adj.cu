// relax_adj: adjoint of relax (relax.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform relax.cu --of y --wrt x,w
//
// Call with x and w as they were before relax. Seed adj_y with dJ/dy: it is left alone,
// because relax stores each element of y at most once. dJ/dx is added to adj_x; dJ/dw
// is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   ds/dw   tape_ds_dw[STEPS], registers   partial of line 15, a load instead of 1 sinf
//   ds/ds   tape_ds_ds[STEPS], registers   partial of line 15, a load instead of 1 cosf
//
// How adjoints are added up:
//   adj_x[..]   atomicAdd   neighbouring threads share x[i - 1], x[i + 1] and x[i]
//   adj_w[..]   atomicAdd   every thread reads the same w[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 128
#define STEPS 8

extern "C" __global__ void relax_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                     const float *__restrict__ w, float *__restrict__ adj_w,
                                     float *__restrict__ y, const float *__restrict__ adj_y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    float left = i > 0 ? x[i - 1] : 0.0f;
    float right = i + 1 < n ? x[i + 1] : 0.0f;
    float s = 0.25f * (left + 2.0f * x[i] + right);
    float tape_ds_dw[STEPS];
    float tape_ds_ds[STEPS];
    for (int k = 0; k < STEPS; ++k) {
        float sine;
        float cosine;
        sincosf(s, &sine, &cosine);
        tape_ds_dw[k] = sine;
        tape_ds_ds[k] = 1.0f + w[k] * cosine;
        s = s + w[k] * sine;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 16:  y[i] = s
    float adj_s = adj_y[i];
    for (int k = STEPS - 1; k >= 0; --k) {
        // 15:  s = s + w[k] * sinf(s)
        atomicAdd(&adj_w[k], tape_ds_dw[k] * adj_s);
        adj_s *= tape_ds_ds[k];
    }

    // 13:  float s = 0.25f * (left + 2.0f * x[i] + right)
    float g = 0.25f * adj_s;
    atomicAdd(&adj_x[i], 2.0f * g);

    // 12:  float right = i + 1 < n ? x[i + 1] : 0.0f
    if (i + 1 < n)
        atomicAdd(&adj_x[i + 1], g);
    // 11:  float left = i > 0 ? x[i - 1] : 0.0f
    if (i > 0)
        atomicAdd(&adj_x[i - 1], g);
}
