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
//   adj_x[..]   atomicAdd           neighbouring threads share x[i - 1], x[i + 1] and
//                                   x[i]
//   adj_w[..]   reduced per block   every thread reads the same w[k]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 128
#define STEPS 8

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
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
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void relax_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                                     const float *__restrict__ w, float *__restrict__ adj_w,
                                     float *__restrict__ y, const float *__restrict__ adj_y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float tape_ds_dw[STEPS];
    float tape_ds_ds[STEPS];
    float adj_s;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float left = i > 0 ? x[i - 1] : 0.0f;
        float right = i + 1 < n ? x[i + 1] : 0.0f;
        float s = 0.25f * (left + 2.0f * x[i] + right);
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
        adj_s = adj_y[i];
    }
    for (int k = STEPS - 1; k >= 0; --k) {
        float adj_w_sum = 0.0f;
        if (i < n) {
            // 15:  s = s + w[k] * sinf(s)
            adj_w_sum = tape_ds_dw[k] * adj_s;
            adj_s *= tape_ds_ds[k];
        }
        block_add(&adj_w[k], adj_w_sum);
    }
    if (i < n) {
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
}
