// Adjoint of relax, without shared memory.  of y, wrt x, w.
//   s      overwritten STEPS times; kept are sinf(s) and the partial of each step, in registers,
//          both from one sincosf
//   adj_w  STEPS addresses for all threads: one atomic per step and thread
//   adj_x  three neighbouring threads add to each element: atomics
#define BLOCK 128
#define STEPS 8

extern "C" __global__ void relax_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                     const float *__restrict__ w, float *__restrict__ adj_w,
                                     float *__restrict__ y, const float *__restrict__ adj_y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;

    // forward sweep
    float left = i > 0 ? x[i - 1] : 0.0f;
    float right = i + 1 < n ? x[i + 1] : 0.0f;
    float s = 0.25f * (left + 2.0f * x[i] + right);
    float sine[STEPS], step[STEPS];
    for (int k = 0; k < STEPS; ++k) {
        float cosine;
        sincosf(s, &sine[k], &cosine);
        step[k] = 1.0f + w[k] * cosine;
        s = s + w[k] * sine[k];
    }

    // reverse sweep
    float adj_s = adj_y[i];
    for (int k = STEPS - 1; k >= 0; --k) {
        // s = s + w[k] * sinf(s)
        atomicAdd(&adj_w[k], sine[k] * adj_s);
        adj_s *= step[k];
    }
    // s = 0.25f * (left + 2.0f * x[i] + right)
    float g = 0.25f * adj_s;
    atomicAdd(&adj_x[i], 2.0f * g);
    if (i > 0)
        atomicAdd(&adj_x[i - 1], g);
    if (i + 1 < n)
        atomicAdd(&adj_x[i + 1], g);
}
