// late_adj: adjoint of late (weights_behind_return.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform weights_behind_return.cu --of y --wrt x,w
//
// Call with x and w as they were before late. Seed adj_y with dJ/dy: it is left alone,
// because late stores each element of y at most once. dJ/dx is added to adj_x; dJ/dw is
// added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   ds/dw   tape_ds_dw[4], registers   partial of line 12, a load instead of 1 sinf
//   ds/dx   tape_ds_dx[4], registers   partial of line 12, a load instead of 1 sinf
//   ds/ds   tape_ds_ds[4], registers   partial of line 12, a load instead of 1 cosf
//
// How adjoints are added up:
//   adj_w[..]   atomicAdd       every thread reads the same w[base + k]
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

__global__ void late_adj(const float *x, float *adj_x,
                         const float *w, float *adj_w,
                         float *y, const float *adj_y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % blockDim.x < 3 || i >= n)
        return;

    // ---- forward sweep ------------------------------------------------------

    int base = m / 2;
    base += 1;
    float s = 0.4f;
    float tape_ds_dw[4];
    float tape_ds_dx[4];
    float tape_ds_ds[4];
    for (int k = 0; k < 4; ++k) {
        float sine;
        float cosine;
        sincosf(s, &sine, &cosine);
        tape_ds_dw[k] = sine * x[i];
        tape_ds_dx[k] = sine * w[base + k];
        tape_ds_ds[k] = 1.0f + w[base + k] * x[i] * cosine;
        s += w[base + k] * x[i] * sine;
    }

    // ---- reverse sweep ------------------------------------------------------

    // 13:  y[i] = s
    float adj_s = adj_y[i];
    float adj_x_sum = 0.0f;
    for (int k = 3; k >= 0; --k) {
        // 12:  s += w[base + k] * x[i] * sinf(s)
        atomicAdd(&adj_w[base + k], tape_ds_dw[k] * adj_s);
        adj_x_sum += tape_ds_dx[k] * adj_s;
        adj_s *= tape_ds_ds[k];
    }
    // what the iterations owe, added once
    if (adj_x_sum != 0.0f)
        adj_x[i] += adj_x_sum;
}
