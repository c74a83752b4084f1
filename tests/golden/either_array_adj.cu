// either_array_adj: adjoint of either_array (either_array.cu:13).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform either_array.cu --of left,right,out --wrt x,z,left,right
//
// Call with x, z, left, right and turn as they were before either_array. Seed adj_out
// with dJ/dout: it is left alone, because either_array stores each element of out at
// most once. adj_left comes in as dJ/dleft after either_array and goes out as dJ/dleft
// before it, element by element. adj_right comes in as dJ/dright after either_array and
// goes out as dJ/dright before it, element by element. dJ/dx is added to adj_x; dJ/dz
// is added to adj_z. out is neither read nor written. The content of left and right
// afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   chosen                 recomputed              from values at hand, in the reversed
//                                                  iteration
//   x[..], z[..]           reloaded                nothing stores to it
//   s, first               reloaded                still in its variable
//   to[i]                  tape_left, a register   line 36 overwrites it
//   right[..], left[..]    reloaded                no later store goes to it
//   walk_z_at, walk_x_at   inverted                each iteration adds n
//
// How adjoints are added up:
//   adj_x[..]       reduced per block   every thread reads *walk and *p
//   adj_x[..]       atomicAdd           other threads add to x[i] and x[2 * i + k] too
//   adj_z[..]       reduced per block   every thread reads the same *p
//   adj_z[..]       atomicAdd           other threads add to z[i + walk_z_at] and
//                                       z[row_z_at + k] too
//   adj_right[..]   +=, one owner       one thread per element
//   adj_left[..]    +=, one owner       one thread per element
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

extern "C" __global__ void either_array_adj(const float *x, float *adj_x,
                                            const float *z, float *adj_z,
                                            float *left, float *adj_left,
                                            float *right, float *adj_right,
                                            float *out, const float *adj_out, const int *turn,
                                            int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    float adj_x_0 = 0.0f;
    float adj_z_sum = 0.0f;
    bool p_in_x;
    long row_z_at;
    float s;
    bool to_in_left;
    float tape_left;
    bool walk_in_z;
    float adj_first;
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        p_in_x = turn[i] > 1;
        row_z_at = (long)n + 2 * i;
        s = 0.0f;
        for (int k = 0; k < 2; ++k) {
            float chosen;
            if (p_in_x)
                chosen = x[2 * i + k] * x[2 * i + k];
            else
                chosen = z[row_z_at + k] * z[row_z_at + k];
            s += (p_in_x ? x[2 * i + k] : z[row_z_at + k]) * chosen;
        }

        to_in_left = turn[i] % 2 == 0;
        if (!to_in_left)
            s *= 2.0f;
        if (to_in_left)
            left[i] = s + right[i];
        else
            right[i] = s + left[i];
        if (to_in_left) {
            tape_left = left[i];
            right[i] += s * left[i];
        } else {
            left[i] += s * right[i];
        }

        float first = x[i];
        walk_in_z = turn[i] == 0;
        long walk_x_at = 0;
        long walk_z_at = 0;
        for (int k = 0; k < 3; ++k) {
            first += sinf(walk_in_z ? z[i + walk_z_at] : x[walk_x_at]);
            walk_z_at += n;
            walk_x_at += n;
        }

        // ---- reverse sweep ------------------------------------------------------

        // 45:  out[i] = first * *p
        float g = adj_out[i];
        adj_first = (p_in_x ? x[0] : z[n]) * g;
        float g_2 = first * g;
        if (p_in_x)
            adj_x_0 = g_2;
        else
            adj_z_sum = g_2;
    }
    for (int k = 0; k < 3; ++k) {
        float adj_x_sum = 0.0f;
        if (i < n) {
            long walk_z_at = (long)k * n;

            // 44:  first += sinf(*walk)
            float g = cosf(walk_in_z ? z[i + walk_z_at] : x[(long)k * n]) * adj_first;
            if (walk_in_z)
                atomicAdd(&adj_z[i + walk_z_at], g);
            else
                adj_x_sum = g;
        }
        block_add(&adj_x[(long)k * n], adj_x_sum);
    }
    if (i < n) {
        // 40:  float first = walk[i]
        atomicAdd(&adj_x[i], adj_first);
        float adj_s = 0.0f;
        if (to_in_left) {
            // 10:  p[i] *= by
            adj_s += left[i] * adj_left[i];
            adj_left[i] *= s;
        } else {
            // 10:  p[i] *= by
            adj_s += right[i] * adj_right[i];
            adj_right[i] *= s;
        }
        if (to_in_left) {
            // 36:  from[i] += s * to[i]
            float g = adj_right[i];
            adj_s += tape_left * g;
            adj_left[i] += s * g;
        } else {
            // 36:  from[i] += s * to[i]
            float g = adj_left[i];
            adj_s += right[i] * g;
            adj_right[i] += s * g;
        }
        if (to_in_left) {
            // 35:  to[i] = s + from[i]
            float g = adj_left[i];
            adj_s += g;
            adj_right[i] += g;
            adj_left[i] = 0.0f;
        } else {
            // 35:  to[i] = s + from[i]
            float g = adj_right[i];
            adj_s += g;
            adj_left[i] += g;
            adj_right[i] = 0.0f;
        }
        if (!to_in_left) {
            // 31:  s *= 2.0f
            adj_s *= 2.0f;
        }
        for (int k = 0; k < 2; ++k) {
            float chosen;
            if (p_in_x)
                chosen = x[2 * i + k] * x[2 * i + k];
            else
                chosen = z[row_z_at + k] * z[row_z_at + k];

            // 24:  s += row[k] * squared(row, k)
            float g = chosen * adj_s;
            if (p_in_x)
                atomicAdd(&adj_x[2 * i + k], g);
            else
                atomicAdd(&adj_z[row_z_at + k], g);
            float adj_chosen = (p_in_x ? x[2 * i + k] : z[row_z_at + k]) * adj_s;
            if (p_in_x) {
                // 24:  squared(row, k)
                atomicAdd(&adj_x[2 * i + k], 2.0f * x[2 * i + k] * adj_chosen);
            } else {
                // 24:  squared(row, k)
                atomicAdd(&adj_z[row_z_at + k], 2.0f * z[row_z_at + k] * adj_chosen);
            }
        }
    }
    block_add(adj_x, adj_x_0);
    block_add(&adj_z[n], adj_z_sum);
}
