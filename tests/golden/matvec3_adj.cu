// matvec3_adj: adjoint of matvec3 (matvec3.cu:24).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform matvec3.cu --of y --wrt A,x
//
// Call with A and x as they were before matvec3. adj_y comes in as dJ/dy after matvec3
// and goes out as dJ/dy before it, element by element. dJ/dA is added to adj_A; dJ/dx
// is added to adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]          reloaded                 nothing stores to it
//   m[..], v[..]   reloaded                 no later store goes to it
//   b[k]           tape_v[3], registers     line 21 overwrites it
//   l              reloaded                 still in its variable
//   v_at           inverted                 each iteration adds 1
//   *v++           tape_v_2[3], registers   line 21 overwrites it
//
// How adjoints are added up:
//   adj_A[..]   +=, one owner       each thread has elements of its own
//   adj_x[..]   reduced per block   every thread reads the same b[k]
//   adj_x[..]   atomicAdd           other threads add to x[3 * i + k] too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

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

extern "C" __global__ void matvec3_adj(const float *A, float *adj_A,
                                       const float *x, float *adj_x,
                                       float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float m[3][3];
    float v[3];
    float tape_v[3];
    float l;
    float tape_v_2[3];
    float adj_dot_value;
    float adj_v[3] = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                m[r][c] = A[9 * i + 3 * r + c];
        for (int r = 0; r < 3; ++r) {
            float s = 0.0f;
            for (int k = 0; k < 3; ++k)
                s += m[r][k] * x[3 * i + k];
            v[r] = s;
        }
        float dot_value = 0.0f;
        for (int k = 0; k < 3; ++k) {
            tape_v[k] = v[k];
            dot_value += v[k] * v[k];
        }
        l = rsqrtf(1.0f + dot_value);
        long v_at = 0;
        for (int k = 0; k < 3; ++k) {
            tape_v_2[k] = v[v_at];
            v[v_at] *= l;
            v_at++;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 37:  y[3 * i + 1] += 0.1f * dot(v, x, 2)
        adj_dot_value = 0.1f * adj_y[3 * i + 1];
    }
    for (int k = 0; k < 2; ++k) {
        float adj_x_sum = 0.0f;
        if (i < n) {
            // 7:  s += a[k] * b[k]
            adj_v[k] += x[k] * adj_dot_value;
            adj_x_sum = v[k] * adj_dot_value;
        }
        block_add(&adj_x[k], adj_x_sum);
    }
    if (i < n) {
        float adj_m[3][3] = {};
        for (int r = 0; r < 3; ++r) {
            // 14:  out[r] = dot(m[r], in, 3)
            float adj_s = adj_y[3 * i + r];
            adj_y[3 * i + r] = 0.0f;
            for (int k = 0; k < 3; ++k) {
                // 7:  s += a[k] * b[k]
                adj_m[r][k] += v[k] * adj_s;
                adj_v[k] += m[r][k] * adj_s;
            }
        }
        float adj_l = 0.0f;
        for (int k = 2; k >= 0; --k) {
            // 21:  *v++ *= l
            adj_l += tape_v_2[k] * adj_v[k];
            adj_v[k] *= l;
        }

        // 19:  float l = rsqrtf(1.0f + dot(v, v, 3))
        float adj_dot_value = -0.5f * l * l * l * adj_l;
        for (int k = 0; k < 3; ++k) {
            // 7:  s += a[k] * b[k]
            adj_v[k] += 2.0f * tape_v[k] * adj_dot_value;
        }
        for (int r = 2; r >= 0; --r) {
            // 14:  out[r] = dot(m[r], in, 3)
            float adj_s = adj_v[r];
            for (int k = 0; k < 3; ++k) {
                // 7:  s += a[k] * b[k]
                adj_m[r][k] += x[3 * i + k] * adj_s;
                atomicAdd(&adj_x[3 * i + k], m[r][k] * adj_s);
            }
        }
        for (int r = 2; r >= 0; --r)
            for (int c = 2; c >= 0; --c) {
                // 32:  m[r][c] = A[9 * i + 3 * r + c]
                adj_A[9 * i + 3 * r + c] += adj_m[r][c];
            }
    }
}
