// file_variables_adj: adjoint of file_variables (file_variables.cu:20).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform file_variables.cu --of y --wrt x,taps,scale,physics
//
// Call with x, taps, scale, physics and shift as they were before file_variables. Seed
// adj_y with dJ/dy: it is left alone, because file_variables stores each element of y
// at most once. dJ/dx is added to adj_x; dJ/dtaps is added to adj_taps; dJ/dscale is
// added to adj_scale; dJ/dphysics is added to adj_physics. y is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   s, v (line 15)      reloaded                       still in its variable
//   x[..], shift[..],   reloaded                       nothing stores to it
//   taps[..],
//   physics[..].rate,
//   scale[..]
//   v (line 15)         snapshot_v[16], local memory   line 16 changes it in each
//                                                      iteration, and nothing bounds
//                                                      their number
//
// How adjoints are added up:
//   adj_taps[..]           atomicAdd           not proved that two threads never meet
//                                              in taps[i % 3][k]
//   adj_x[..]              atomicAdd           not proved that two threads never meet
//                                              in x[(i + k + shift) % n]
//   adj_physics[..].rate   reduced per block   every thread reads physics.rate
//   adj_scale[..]          reduced per block   every thread reads scale
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, the file's
// variables taps, scale, physics and shift are passed with their values.

struct Physics {
    float rate;
    int steps;
};

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

__global__ void file_variables_adj(const float *x, float *adj_x,
                                   float *y, const float *adj_y, int n,
                                   const float (*taps)[4], float (*adj_taps)[4],
                                   const float *scale, float *adj_scale,
                                   const Physics *physics, Physics *adj_physics, const int *shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_scale_0 = 0.0f;
    float adj_physics_rate_sum = 0.0f;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        float s = 0.0f;
        for (int k = 0; k < 4; ++k)
            s += taps[i % 3][k] * x[(i + k + shift[0]) % n];
        float v = s;
        float snapshot_v[16];
        int stride = 1;
        for (int k = 0; k < physics->steps; ++k) {
            if (k % stride == 0) {
                if (k == 16 * stride) {
                    for (int j = 1; j < 8; ++j)
                        snapshot_v[j] = snapshot_v[2 * j];
                    stride *= 2;
                }
                snapshot_v[k / stride] = v;
            }
            v -= physics->rate * v * v;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 28:  y[i] = scale * decayed(s) * s
        float g = adj_y[i];
        float g_2 = s * g;
        adj_scale_0 = v * g_2;
        float adj_v = scale[0] * g_2;
        float adj_s = scale[0] * v * g;
        for (int k = physics->steps - 1; k >= 0; --k) {
            float v = snapshot_v[k / stride];
            for (int r = k / stride * stride; r < k; ++r)
                v -= physics->rate * v * v;

            // 16:  v -= physics.rate * v * v
            adj_physics_rate_sum -= v * v * adj_v;
            adj_v -= 2.0f * physics->rate * v * adj_v;
        }

        // 28:  decayed(s)
        adj_s += adj_v;
        for (int k = 0; k < 4; ++k) {
            // 27:  s += taps[i % 3][k] * x[(i + k + shift) % n]
            atomicAdd(&adj_taps[i % 3][k], x[(i + k + shift[0]) % n] * adj_s);
            atomicAdd(&adj_x[(i + k + shift[0]) % n], taps[i % 3][k] * adj_s);
        }
    }
    block_add(adj_scale, adj_scale_0);
    block_add(&adj_physics->rate, adj_physics_rate_sum);
}
