// pointer_to_local_adj: adjoint of pointer_to_local (pointer_to_local.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform pointer_to_local.cu --of y --wrt x,a
//
// Call with x as it was before pointer_to_local. Seed adj_y with dJ/dy: it is left
// alone, because pointer_to_local stores each element of y at most once. dJ/dx is added
// to adj_x; dJ/da is added to adj_a. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   best, cosine, sine   reloaded   still in its variable
//   p_at                 inverted   each iteration adds 1
//   x[..]                reloaded   nothing stores to it
//   m[..]                reloaded   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner       one thread per element
//   adj_a       reduced per block   every thread has its share in it
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
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

extern "C" __global__ void pointer_to_local_adj(const float *x, float *adj_x,
                                                float a, float *adj_a,
                                                float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_a_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float m[3][4];
        float best = 0.0f;
        for (int r = 0; r < 3; ++r) {
            long p_at = 0;
            for (int k = 0; k < 4; ++k) {
                m[r][p_at] = a * x[i] + (float)(r - k);
                p_at++;
            }
            best += m[r][r] * m[r][3];
        }
        float sine;
        float cosine;
        sincosf(m[1][2], &sine, &cosine);

        // ---- reverse sweep ------------------------------------------------------

        float adj_m[3][4] = {};

        // 22:  y[i] = best * *s + cosine * second[1][0]
        float g = adj_y[i];
        float adj_best = sine * g;
        adj_m[2][0] += cosine * g;

        // 21:  sincosf((*second)[2], s, &cosine)
        adj_m[1][2] += (cosine * best - sine * m[2][0]) * g;
        float adj_x_sum = 0.0f;
        for (int r = 2; r >= 0; --r) {
            // 16:  *sum += row[r] * row[3]
            adj_m[r][r] += m[r][3] * adj_best;
            adj_m[r][3] += m[r][r] * adj_best;
            for (int k = 3; k >= 0; --k) {
                // 15:  *p++ = a * x[i] + (float)(r - k)
                float g = adj_m[r][k];
                adj_a_sum += x[i] * g;
                adj_x_sum += a * g;
            }
        }
        // what the iterations owe, added once
        if (adj_x_sum != 0.0f)
            adj_x[i] += adj_x_sum;
    }
    block_add(adj_a, adj_a_sum);
}
